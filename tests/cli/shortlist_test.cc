// SPDX-License-Identifier: Apache-2.0
// gloss shortlist, and translation with its file, through the real binary.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "model/tensor/can_multiply.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr std::string_view kLetters = "atheosmcndg";

/// A corpus in which the translation of each letter is the next letter, and a shortlist learned from it.
class ShortlistCommand : public UntrainedModels {
 protected:
  ShortlistCommand() {
    Random random(1);
    std::string source, target;
    for (int line = 0; line < 1500; ++line) {
      for (int i = 0; i < 7; ++i) {
        const std::size_t letter = random.below(kLetters.size());
        source += i == 3 ? std::string(" ") + kLetters[letter] : std::string(1, kLetters[letter]);
        target += kLetters[(letter + 1) % kLetters.size()];
      }
      source += '\n';
      target += '\n';
    }
    files.write("source", source);
    files.write("target", target);
    const ProgramResult made = learn("list");
    EXPECT_EQ(made.status, 0) << made.errors;
    EXPECT_NE(made.errors.find("from 1500 pairs"), std::string::npos) << made.errors;
  }
  ProgramResult learn(const std::string& name, std::vector<std::string> options = {}) {
    options.insert(options.begin(),
                   {"--source", files / "source", "--target", files / "target", "--output", files / name});
    return gloss("shortlist", options);
  }
  ProgramResult shortlisted(const std::string& input, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--shortlist", files / "list"});
    return translate(input, options);
  }

  TemporaryDirectory files;
};

TEST_F(ShortlistCommand, TranslationsConsistOfTranslationsOfTheirPieces) {
  for (const std::string beam : {"1", "5"}) {
    const ProgramResult result = shortlisted(
        "cat\nsame dog\nthe\n", {"--shortlist-first", "0", "--shortlist-best", "1", "--beam-size", beam});
    EXPECT_EQ(result.status, 0) << result.errors;
    const std::vector<std::string> lines = output_lines(result.output);
    const std::vector<std::string> sources{"cat", "same dog", "the"};
    for (std::size_t line = 0; line < sources.size(); ++line) {
      for (const char found : lines.at(line)) {
        if (found == ' ') continue;
        const std::size_t place = kLetters.find(found);
        ASSERT_NE(place, std::string_view::npos) << lines[line];
        EXPECT_NE(sources[line].find(kLetters[(place + kLetters.size() - 1) % kLetters.size()]),
                  std::string::npos)
            << sources[line] << " became " << lines[line];
      }
    }
  }
}

TEST_F(ShortlistCommand, NormalisesProbabilitiesOverAllowedTokens) {
  const ProgramResult end_alone =
      shortlisted("cat\n", {"--shortlist-first", "0", "--shortlist-best", "0", "--scores"});
  EXPECT_EQ(end_alone.output, "0.000000\t\n") << "only the end token is allowed";
  const auto score = [](const ProgramResult& result) { return std::stod(result.output); };
  EXPECT_GT(score(shortlisted("cat\n", {"--shortlist-first", "1", "--scores"})),
            score(translate("cat\n", {"--scores"})));
}

TEST_F(ShortlistCommand, BytesDependOnNeitherBatchesNorThreadsNorOrder) {
  std::vector<std::string> lines;
  Random random(7);
  for (int line = 0; line < 60; ++line) {
    std::string& text = lines.emplace_back();
    for (std::uint64_t i = 0; i <= random.below(12); ++i) text += kLetters[random.below(kLetters.size())];
  }
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  std::string straight, shuffled;
  for (const std::string& line : lines) straight += line + "\n";
  for (const std::size_t line : order) shuffled += lines[line] + "\n";
  for (const DType type : {DType::f32, DType::bf16, DType::int8}) {
    if (!can_multiply(type)) continue;
    const std::string precision = name_of(type);
    for (const std::vector<std::string>& search :
         {std::vector<std::string>{"-b", "1"}, {"-b", "4"}, {"-b", "3", "-m", *folder / "b"}}) {
      std::vector<std::string> options{"--scores", "--precision",      precision, "--shortlist-first",
                                       "3",        "--shortlist-best", "2"};
      options.insert(options.end(), search.begin(), search.end());
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), options.begin(), options.end());
        return more;
      };
      const auto expected = output_lines(shortlisted(straight, with({"-j", "1"})).output);
      ASSERT_EQ(expected.size(), lines.size());
      for (const auto& [size, threads] : {std::pair("1", "2"), {"5", "1"}, {"60", "3"}}) {
        const auto found =
            output_lines(shortlisted(shuffled, with({"--batch-size", size, "-j", threads})).output);
        ASSERT_EQ(found.size(), lines.size());
        for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]) << precision;
      }
    }
  }
}

TEST_F(ShortlistCommand, AllowsRequiredTerms) {
  const std::vector<std::string> nothing{"--shortlist-first", "0", "--shortlist-best", "0"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), nothing.begin(), nothing.end());
    return more;
  };
  EXPECT_EQ(shortlisted("cat\tdog\n", with({"--prefix"})).output.substr(0, 3), "dog");
  const ProgramResult required =
      shortlisted("the cat\n", with({"--lexicon", files.write("terms", "cat\tdog\n")}));
  EXPECT_NE(required.output.find("dog"), std::string::npos) << required.output << required.errors;
  const ProgramResult drawn = shortlisted("the cat\n", {"--sample", "--n-best", "3", "--seed", "5"});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(output_lines(drawn.output).size(), 3u);
  const ProgramResult best = shortlisted("cat\n", with({"--n-best", "4"}));
  EXPECT_EQ(output_lines(best.output).size(), 1u) << "there is only one translation\n" << best.output;
}

TEST_F(ShortlistCommand, TheFileDoesNotDependOnThreads) {
  ASSERT_EQ(learn("again", {"-j", "3"}).status, 0);
  EXPECT_EQ(files.read("again"), files.read("list"));
}

TEST_F(ShortlistCommand, NamesMistakes) {
  const std::string empty = files.write("empty", ""), text = files.write("text", "no shortlist\n");
  const std::string whole = files.read("list");
  expect_failure(translate("", {"--shortlist", "/no/such/file"}), 3, "/no/such/file");
  expect_failure(translate("", {"--shortlist", empty}), 3, empty);
  expect_failure(translate("", {"--shortlist", text}), 3, text);
  expect_failure(translate("", {"--shortlist", files.write("cut", whole.substr(0, whole.size() / 2))}), 3,
                 "damaged");
  expect_failure(run_program({kGlossBinary, "translate", "-m", *folder / "c", "--shortlist", files / "list"}),
                 3, "another source vocabulary");
  expect_failure(translate("", {"--shortlist-best", "3"}), 2, "--shortlist FILE");
  expect_failure(run_program({kGlossBinary, "shortlist"}), 2, "-m DIR");
  expect_failure(gloss("shortlist", {"--source", empty, "--target", empty}), 2, "--output FILE");
  expect_failure(gloss("shortlist", {"--source", empty, "--output", files / "x"}), 2, "only --source");
  expect_failure(gloss("shortlist", {"--source", empty, "--target", empty, "--output", files / "x"}), 3,
                 "no usable pair");
  expect_failure(gloss("shortlist", {"--source", text, "--target", empty, "--output", files / "x"}), 3,
                 "has 0");
  expect_failure(learn("no/such/folder/list"), 1, "no/such/folder");
}

}  // namespace
}  // namespace gloss
