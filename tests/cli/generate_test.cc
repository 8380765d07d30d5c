// SPDX-License-Identifier: Apache-2.0
// Language models that are not trained, through the real binary: gloss generate and gloss score --input.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "base/random.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class Generate : public UntrainedModels {
 protected:
  static ProgramResult run(const std::string& command, std::vector<std::string> options,
                           const std::string& input = "") {
    options.insert(options.begin(), {kGlossBinary, command, "-m", *folder / "lm"});
    return run_program(options, input);
  }
  static ProgramResult generate(const std::string& input, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--max-tokens", "12"});
    return run("generate", options, input);
  }
};

std::vector<std::string> some_lines() {
  std::vector<std::string> lines;
  for (int i = 0; i < 60; ++i) {
    std::string line = "the";
    for (int word = 0; word < i * 7 % 13; ++word) line += word % 2 == 0 ? " cat" : " sat on";
    lines.push_back(i % 9 == 4 ? "" : line + std::string(index(i % 5), 'e'));
  }
  return lines;
}

std::string input_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST_F(Generate, BytesDependOnNeitherBatchesNorThreadsNorOrder) {
  const std::vector<std::string> lines = some_lines();
  for (const std::vector<std::string>& way :
       {std::vector<std::string>{"--scores"}, {"--scores", "--beam-size", "4"}, {"--scores", "--sample"}}) {
    const auto with = [&](std::vector<std::string> options) {
      options.insert(options.end(), way.begin(), way.end());
      return options;
    };
    const ProgramResult first = generate(input_of(lines), with({"-j", "1", "--batch-size", "1"}));
    ASSERT_EQ(first.status, 0) << first.errors;
    const std::vector<std::string> expected = output_lines(first.output);
    ASSERT_EQ(expected.size(), lines.size());
    for (const std::string threads : {"1", "3"}) {
      for (const std::string size : {"7", "64"}) {
        EXPECT_EQ(generate(input_of(lines), with({"-j", threads, "--batch-size", size})).output, first.output)
            << threads << " threads, batches of " << size << " " << way.back();
      }
    }
    if (way.back() == "--sample") continue;  // draws depend on the line's number
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random(5).shuffle(order);
    std::vector<std::string> shuffled;
    for (const std::size_t line : order) shuffled.push_back(lines[line]);
    const auto found = output_lines(generate(input_of(shuffled), with({})).output);
    ASSERT_EQ(found.size(), lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]);
  }
}

TEST_F(Generate, AsManyLinesOutAsInForAnyInput) {
  std::string input;
  for (const std::string& line : nasty_lines()) input += line + "\n";
  input += "no final newline";
  const ProgramResult result = run("generate", {"--max-tokens", "3"}, input);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'),
            static_cast<std::ptrdiff_t>(nasty_lines().size() + 1));
  EXPECT_NE(result.errors.find(":6: the first "), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find(":10: invalid UTF-8"), std::string::npos) << result.errors;
}

TEST_F(Generate, ContinuesTheLine) {
  const auto whole = output_lines(generate("the cat\n\n \non a\n").output);
  const auto added = output_lines(generate("the cat\n\n \non a\n", {"--only-new"}).output);
  ASSERT_EQ(whole.size(), 4u);
  EXPECT_EQ(whole[1] + whole[2] + added[1] + added[2], "");
  EXPECT_EQ(whole[0], "the cat" + added[0]);
  EXPECT_EQ(whole[3], "on a" + added[3]);
  EXPECT_NE(added[0] + added[3], "");
}

TEST_F(Generate, ReportsProbabilitiesOfTheAddedText) {
  const auto both = json_lines(generate("the\n", {"--format", "json", "--beam-size", "4"}).output);
  const auto best = both.at(0)["texts"].at(0);
  const auto list = output_lines(generate("the\n", {"--n-best", "3", "--beam-size", "4"}).output);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[0].starts_with(concat("0 ||| ", best["text"].get<std::string>(), " ||| LogProbability= ")))
      << list[0];
  EXPECT_NE(list[0], list[1]);
}

TEST_F(Generate, EndsAtTheLimitsOfTokensAndPositions) {
  const auto line = json_lines(generate("the\n", {"--format", "json", "--min-length", "12"}).output).at(0);
  EXPECT_EQ(line["texts"].at(0)["tokens"], 12);
  EXPECT_EQ(line["texts"].at(0)["cut"], true);
  const auto far =
      json_lines(run("generate", {"--format", "json", "--min-length", "90"}, "the cat\n").output).at(0);
  EXPECT_EQ(far["texts"].at(0)["tokens"], 60 - 1 - 8) << "60 positions, one for the begin token";
  std::vector<std::string> lines;
  for (std::size_t length = 50; length < 70; ++length) lines.emplace_back(length, 'a');
  const ProgramResult near_the_end = run("generate", {}, input_of(lines));
  ASSERT_EQ(near_the_end.status, 0) << near_the_end.errors;
  EXPECT_EQ(output_lines(near_the_end.output).size(), lines.size());
}

TEST_F(Generate, NamesMistakes) {
  expect_failure(run_program({kGlossBinary, "generate", "-m", *folder / "a"}), 3, "is a translation model");
  expect_failure(run_program({kGlossBinary, "translate", "-m", *folder / "lm"}), 3, "is a language model");
  expect_failure(run_program({kGlossBinary, "generate"}), 2, "-m DIR");
  expect_failure(generate("", {"--unprompted", "3", "--input", "x"}), 2, "leave out --input");
  expect_failure(generate("", {"--scores", "--format", "json"}), 2, "--scores");
  expect_failure(generate("", {"--input", "/nowhere"}), 3, "/nowhere");
  expect_failure(generate("", {"--min-length", "13"}), 2, "--min-length 13 is larger than --max-tokens 12");
  expect_failure(generate("", {"--n-best", "3"}), 2, "beam");
  expect_failure(run("score", {"--source", "x", "--target", "y"}), 3, "is a language model");
  expect_failure(run("score", {"--input", "x", "--tsv", "y"}), 2, "--input is text for a language model");
  expect_failure(run_program({kGlossBinary, "score", "-m", *folder / "a", "--input", "x"}), 3,
                 "expected a language model");
  expect_failure(run("generate", {"--sample", "--beam-size", "3"}), 2, "leave them out");
  expect_failure(run("generate", {"--seed", "3"}), 2, "without --sample");
}

TEST_F(Generate, ScoresOfTextDependOnNeitherBatchesNorThreads) {
  const TemporaryDirectory files;
  const std::string file = files.write("lines", input_of(some_lines()) + std::string(200, 'a') + "\n");
  const ProgramResult first = run("score", {"--input", file, "-j", "1", "--batch-size", "1"});
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_EQ(first.errors.find("ignored"), std::string::npos) << "long lines are scored in parts";
  for (const std::string threads : {"1", "3"}) {
    EXPECT_EQ(run("score", {"--input", file, "-j", threads, "--batch-size", "9"}).output, first.output);
  }
}

TEST_F(Generate, ScoresOfTextSumUp) {
  const TemporaryDirectory files;
  const std::string file = files.write("lines", "the cat\n\nsat\n");
  double sum = 0;
  for (const std::string& line : output_lines(run("score", {"--input", file}).output)) {
    double score = 0;
    EXPECT_TRUE(parse_number(line, score));
    sum += score;
  }
  const auto total = json_lines(run("score", {"--input", file, "--summary"}).output).at(0);
  EXPECT_EQ(total["lines"], 3);
  EXPECT_EQ(total["characters"], 8 + 4);
  EXPECT_EQ(total["tokens"], 9 + 5) << "with the space before each line";
  EXPECT_NEAR(static_cast<double>(total["log_probability"]), sum, 1e-5);
  EXPECT_NEAR(static_cast<double>(total["perplexity"]), std::exp(-sum / 14), 1e-4);
  EXPECT_NEAR(static_cast<double>(total["bits_per_character"]), -sum / 12 / std::log(2.0), 1e-5);
}

}  // namespace
}  // namespace gloss
