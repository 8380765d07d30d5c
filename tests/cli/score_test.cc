// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "base/files.h"
#include "base/index.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class Score : public UntrainedModels {
 protected:
  static ProgramResult score(std::vector<std::string> options, const std::string& input = "") {
    return gloss("score", std::move(options), input);
  }
};

TEST_F(Score, OfSeveralSentencesIsTheirSum) {
  const auto score_lines = [](const std::string& text, std::vector<std::string> options) {
    options.insert(options.begin(), {kGlossBinary, "score", "-m", *folder / "lm", "--input", "-", "--format",
                                     "json", "--length-penalty", "1"});
    const ProgramResult made = run_program(options, text);
    EXPECT_EQ(made.status, 0) << made.errors;
    return json_lines(made.output);
  };
  const auto apart = score_lines("the cat sat.\nA mat.\n", {});
  const std::string text = "the cat sat. A mat.\n\nA mat.\n";
  const auto split = score_lines(text, {"--split", "--batch-size", "1"});
  ASSERT_EQ(split.size(), 3u);
  for (const char* const sum : {"score", "log_probability", "tokens"}) {
    EXPECT_DOUBLE_EQ(split[0][sum].get<double>(), apart[0][sum].get<double>() + apart[1][sum].get<double>());
  }
  EXPECT_EQ(split[1]["tokens"], 0);
  EXPECT_EQ(split[2]["score"], apart[1]["score"]);
  EXPECT_EQ(score_lines(text, {"--split", "-j", "3"}), split);
  const TemporaryDirectory files;
  const std::string file = files.write("text", "the cat\n");
  expect_failure(score({"--source", file, "--target", file, "--split"}), 2, "--split");
  expect_failure(
      run_program({kGlossBinary, "score", "-m", *folder / "lm", "-i", file, "--split", "--word-scores"}), 2,
      "--word-scores");
  expect_failure(
      run_program({kGlossBinary, "score", "-m", *folder / "lm", "-i", file, "--split-language", "en"}), 2,
      "--split");
}

TEST_F(Score, AgreesWithTranslate) {
  const TemporaryDirectory files;
  for (const std::vector<std::string>& models : {std::vector<std::string>{}, {"-m", *folder / "b"}}) {
    std::string input, sources, targets;
    for (int i = 0; i < 30; ++i) input += concat(i % 2 == 0 ? "the cat sat" : "on a mat.", "\tthe\n");
    // Ten samples of each line: if a text has as many pieces as the translation has tokens, they are the
    // same.
    std::vector<std::string> options{"--prefix", "--sample", "--n-best",     "10",
                                     "--format", "json",     "--word-scores"};
    options.insert(options.end(), models.begin(), models.end());
    std::vector<nlohmann::json> translations;
    for (const nlohmann::json& line : json_lines(translate(input, options).output)) {
      for (const nlohmann::json& translation : line["translations"]) {
        sources += line["line"].get<int>() % 2 == 0 ? "the cat sat\n" : "on a mat.\n";
        targets += translation["text"].get<std::string>() + "\n";
        translations.push_back(translation);
      }
    }
    options = {"--source",
               files.write("source", sources),
               "--target",
               files.write("target", targets),
               "--format",
               "json",
               "--word-scores",
               "--length-penalty",
               "1"};
    options.insert(options.end(), models.begin(), models.end());
    const auto scored = json_lines(score(options).output);
    ASSERT_EQ(scored.size(), translations.size());
    int compared = 0;
    for (std::size_t i = 0; i < scored.size(); ++i) {
      if (scored[i]["tokens"] != translations[i]["tokens"].get<int>() + 1 ||
          translations[i]["text"].get<std::string>().find("⁇") != std::string::npos) {
        continue;
      }
      ++compared;
      for (const std::string name : {"log_probability", "score", "end_log_probability"}) {
        EXPECT_NEAR(static_cast<double>(scored[i][name]), static_cast<double>(translations[i][name]), 1e-4)
            << name;
      }
      ASSERT_EQ(scored[i]["words"].size(), translations[i]["words"].size());
      for (std::size_t word = 0; word < scored[i]["words"].size(); ++word) {
        EXPECT_EQ(scored[i]["words"][word]["text"], translations[i]["words"][word]["text"]);
        EXPECT_NEAR(static_cast<double>(scored[i]["words"][word]["log_probability"]),
                    static_cast<double>(translations[i]["words"][word]["log_probability"]), 1e-4);
      }
    }
    EXPECT_GT(compared, 20);
  }
}

TEST_F(Score, BytesDependOnNeitherBatchesNorThreads) {
  const TemporaryDirectory files;
  std::string pairs;
  for (int i = 0; i < 60; ++i) {
    std::string line = "the";
    for (int word = 0; word < i * 7 % 11; ++word) line += word % 2 == 0 ? " cat" : " sat on";
    pairs += concat(line, "\t", line.substr(index(i % 4)), "\n");
  }
  const std::string file = files.write("pairs", pairs + "\t\n");
  const ProgramResult expected = score({"--tsv", file, "-j", "1", "--batch-size", "1", "--word-scores"});
  ASSERT_EQ(expected.status, 0) << expected.errors;
  EXPECT_TRUE(expected.output.ends_with("\n0.000000\t0.000000\n")) << "of two empty lines";
  for (const std::string threads : {"1", "3"}) {
    for (const std::string size : {"7", "64"}) {
      EXPECT_EQ(score({"--tsv", file, "-j", threads, "--batch-size", size, "--word-scores"}).output,
                expected.output);
    }
  }
  EXPECT_EQ(score({"--tsv", "-", "--word-scores"}, pairs + "\t\n").output, expected.output);
}

TEST_F(Score, SumsUp) {
  const TemporaryDirectory files;
  const std::string file = files.write("pairs", "the cat\ta cat\non\tmost\n");
  const ProgramResult lines = score({"--tsv", file, "--format", "json"});
  double sum = 0;
  int tokens = 0;
  for (const auto& line : json_lines(lines.output)) {
    sum += static_cast<double>(line["log_probability"]);
    tokens += line["tokens"].get<int>();
  }
  const auto total = json_lines(score({"--tsv", file, "--summary"}).output).at(0);
  EXPECT_EQ(total["pairs"], 2);
  EXPECT_EQ(total["tokens"], tokens);
  EXPECT_NEAR(static_cast<double>(total["log_probability"]), sum, 1e-9);
  EXPECT_NEAR(static_cast<double>(total["perplexity"]), std::exp(-sum / tokens), 1e-6);
  EXPECT_NE(lines.errors.find(concat("2 pairs, ", tokens, " tokens, cross-entropy ")), std::string::npos)
      << lines.errors;
}

TEST_F(Score, AddsAFeatureToAnNBestList) {
  const TemporaryDirectory files;
  const std::string source = files.write("source", "the cat\n\non a mat\n");
  const std::string list =
      translate("the cat\n\non a mat\n", {"--n-best", "3", "--alignment", "hard"}).output;
  const ProgramResult result = score({"--source", source, "--n-best-list", files.write("list", list),
                                      "--feature", "Other", "-m", *folder / "b"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto before = output_lines(list), after = output_lines(result.output);
  ASSERT_EQ(before.size(), after.size());
  std::string pairs;
  for (const std::string& line : before) {
    const std::size_t first = line.find(" ||| ") + 5;
    const std::string number = line.substr(0, first - 5);
    pairs += concat(number == "0"   ? "the cat"
                    : number == "1" ? ""
                                    : "on a mat",
                    "\t", line.substr(first, line.find(" ||| LogProbability") - first), "\n");
  }
  const auto scores = output_lines(score({"--tsv", files.write("pairs", pairs), "-m", *folder / "b"}).output);
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::string expected = before[i];
    const std::size_t features = expected.find(" ||| ", expected.find("Tokens= "));
    EXPECT_EQ(after[i], expected.insert(features, " Other= " + scores[i]));
  }
}

TEST_F(Score, SwappedSidesScoreTheSourceGivenTheTranslation) {
  const TemporaryDirectory files;
  const std::string source = files.write("source", "the cat\non a mat\n");
  const std::string list = files.write("list",
                                       "0 ||| the ||| Other= -1 ||| -1\n"
                                       "0 |||  ||| Other= -2 ||| -2\n"
                                       "1 ||| a cat ||| Other= 1 ||| 1\n");
  const ProgramResult result =
      score({"--source", source, "--n-best-list", list, "--feature", "Channel", "--swap-sides"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string pairs = files.write("pairs", "the\tthe cat\n\tthe cat\na cat\ton a mat\n");
  const auto scores = output_lines(score({"--tsv", pairs}).output);
  EXPECT_EQ(result.output, concat("0 ||| the ||| Other= -1 Channel= ", scores.at(0), " ||| -1\n",
                                  "0 |||  ||| Other= -2 Channel= ", scores.at(1), " ||| -2\n",
                                  "1 ||| a cat ||| Other= 1 Channel= ", scores.at(2), " ||| 1\n"));
  expect_failure(score({"--tsv", "-", "--swap-sides"}, "x\ty\n"), 2, "--n-best-list");
  expect_failure(score({"--source", source, "--n-best-list", list, "--feature", "Other"}), 3,
                 concat(list, ":1: the list already has the feature Other"));
}

TEST_F(Score, OnlyThePositionsOfTheModelLimitTheLength) {
  const TemporaryDirectory files;
  const Subwords characters = Subwords::from_bytes(read_file(*folder / "a/tokenizer.model"), "characters");
  write_untrained_model(files.path(), characters, characters, 3, 1500);
  const std::string pairs = concat("a\t", std::string(1100, 'a'), "\n");
  const ProgramResult result = run_program(
      {kGlossBinary, "score", "-m", files.path(), "--tsv", files.write("pairs", pairs), "--format", "json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(json_lines(result.output).at(0)["tokens"], 1102) << "with the space at the start and the end";
  EXPECT_EQ(result.errors.find("ignored"), std::string::npos) << result.errors;
}

TEST_F(Score, ASoftAlignmentOfOneWordIsNoScore) {
  const TemporaryDirectory files;
  const std::string source = files.write("source", "cat\n");
  const std::string list = "0 ||| dog ||| LogProbability= -6.7 Tokens= 1 ||| -3.37 ||| 0.7131\n";
  const ProgramResult result = score({"--source", source, "--n-best-list", files.write("list", list)});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string expected = output_lines(score({"--tsv", files.write("pair", "cat\tdog\n")}).output).at(0);
  EXPECT_EQ(result.output, "0 ||| dog ||| LogProbability= -6.7 Tokens= 1 ModelScore= " + expected +
                               " ||| -3.37 ||| 0.7131\n");
}

TEST_F(Score, NamesMistakes) {
  const TemporaryDirectory files;
  const std::string two = files.write("two", "a\nb\n"), three = files.write("three", "a\nb\nc\n");
  const ProgramResult unequal = score({"--source", two, "--target", three});
  expect_failure(unequal, 3, two + " has 2 lines but " + three + " has 3 lines");
  expect_failure(score({"--source", two}), 2, "only --source");
  expect_failure(score({}), 2, "--source");
  expect_failure(score({"--source", "-", "--target", "-"}), 2, "'-' is given for more than one file");
  expect_failure(score({"--tsv", two}), 3, "two:1: found 1 column");
  expect_failure(run_program({kGlossBinary, "score", "--tsv", two}), 2, "-m DIR");
  expect_failure(
      score({"--source", two, "--n-best-list", files.write("list", "0 ||| a ||| F= 1 ||| 1\nbad\n")}), 3,
      "list:2: found no ' ||| '");
  expect_failure(score({"--source", two, "--n-best-list", files.write("list", "2 ||| a ||| F= 1 ||| 1\n")}),
                 3, two + " has 2 lines");
  expect_failure(score({"--source", two, "--target", two, "--n-best-list", two}), 2, "--n-best-list");
  expect_failure(score({"--tsv", two, "--feature", "a b"}), 2, "--feature");
  for (const std::vector<std::string>& without :
       std::vector<std::vector<std::string>>{{"--word-scores"}, {"--format", "text"}, {"--feature", "a"}}) {
    std::vector<std::string> options{"--tsv", two, "--summary"};
    options.insert(options.end(), without.begin(), without.end());
    expect_failure(score(options), 2, "--summary writes sums alone");
  }
  expect_failure(score({"--tsv", files.write("t", "a\tb\n"), "-m", *folder / "c"}), 2,
                 "same target vocabulary");
  const ProgramResult longer = score({"--tsv", files.write("t", concat("a\t", std::string(80, 'a'), "\n"))});
  EXPECT_EQ(longer.status, 0);
  EXPECT_NE(longer.errors.find("t:1: 22 of "), std::string::npos) << longer.errors;
}

}  // namespace
}  // namespace gloss
