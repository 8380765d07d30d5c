// SPDX-License-Identifier: Apache-2.0
// gloss evaluate --task align
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;

class EvaluateLinks : public testing::Test {
 protected:
  ProgramResult evaluate(Words arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {kGlossBinary, "evaluate", "--task", "align"});
    return run_program(arguments, input);
  }
  /// AER, precision and recall of one system.
  std::string scores(const std::string& gold, const std::string& system, const Words& more = {}) {
    Words words{folder_.write("g", gold), "-i", folder_.write("s", system), "-f", "text", "-b", "-w", "3"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = evaluate(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  void expect_failure(const ProgramResult& result, int status, const std::string& message) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }
  TemporaryDirectory folder_;
};

TEST_F(EvaluateLinks, CountsByHand) {
  // 1-1 is sure and found, 2-2 sure and missing, 1-2 and 2-2 (from 0) possible, 2-1 wrong.
  const std::string gold = "1-1 2-2 2p3 3p3\n", system = "0-0 1-2 2-1 2-2\n";
  const Words from_one{"--reference-first-word", "1"};
  EXPECT_EQ(scores(gold, system, from_one), "33.333\n75.000\n50.000\n");
  // A line without links adds one that is missing.
  EXPECT_EQ(scores(gold + "1-1\n", system + "\n", from_one), "42.857\n75.000\n33.333\n");
  EXPECT_EQ(scores("0-0 1-1\n", "0-0 1-1\n"), "0.000\n100.000\n100.000\n");
  EXPECT_EQ(scores("1-1\n", "1-1\n", {"--system-first-word", "1", "--reference-first-word", "1"}),
            "0.000\n100.000\n100.000\n");
  EXPECT_EQ(scores("0-0 1-1\n", "0-1 1-0\n"), "100.000\n0.000\n0.000\n");
  EXPECT_EQ(scores("0-0 0p0 0-0\n", " 0-0  0-0\n"), "0.000\n100.000\n100.000\n") << "each link counts once";
  EXPECT_EQ(scores("0-0\n", "\n"), "100.000\n0.000\n0.000\n");
  EXPECT_EQ(scores("\n0p0\n", "\n\n"), "0.000\n0.000\n0.000\n");
  EXPECT_EQ(scores("0p0\n", "0-0\n"), "0.000\n100.000\n0.000\n");
}

TEST_F(EvaluateLinks, WritesTheFormatsOfOtherMetrics) {
  std::string gold, first, second;
  for (int i = 0; i < 40; ++i) {
    gold += "0-0 1-1 2p2\n";
    first += i % 4 == 0 ? "0-0 1-2\n" : "0-0 1-1 2-2\n";
    second += i % 2 == 0 ? "0-1\n" : "0-0 1-1\n";
  }
  const std::string reference = folder_.write("g", gold);
  const std::string one = folder_.write("1", first), two = folder_.write("2", second);
  const auto objects = nlohmann::json::parse(evaluate({reference, "-i", one, "--confidence"}).output);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0]["name"], "AER");
  EXPECT_GT(objects[0]["confidence_var"], 0);
  EXPECT_EQ(objects[0]["task"], "align");
  const ProgramResult text = evaluate({reference, "-f", "text", "-m", "aer"}, first);
  EXPECT_EQ(text.output.find("AER|nrefs:1|task:align|version:gloss-"), 0u) << text.output;
  const auto tests = nlohmann::json::parse(
      evaluate({reference, "-i", one, two, "--paired-bs", "-pbsn", "100", "-m", "aer"}).output);
  EXPECT_LT(tests[1]["AER"]["p_value"], 0.05);
  EXPECT_EQ(evaluate({reference, "-i", one, "-sl", "-m", "precision", "-b"}).output.substr(0, 11),
            "50.0\n100.0\n");
}

TEST_F(EvaluateLinks, LinksStayWithinTheirSentences) {
  const std::string gold = folder_.write("gold", "1-1 2-2\n3p3 1-1\n");
  const Words rest{"--reference-first-word", "1", "--system-first-word", "1", "-b"};
  const auto with = [&](const std::string& pairs, const std::string& system) {
    Words words{gold, "--pairs", folder_.write("pairs", pairs), "-i", folder_.write("system", system)};
    words.insert(words.end(), rest.begin(), rest.end());
    return evaluate(words);
  };
  const std::string pairs = "a b ||| x y\na b c\tx y z\n";
  EXPECT_EQ(with(pairs, "1-1 2-2\n1-1\n").status, 0);
  expect_failure(with(pairs, "1-1\n1-4\n"), 3,
                 "system, line 2: the link 1-4 exceeds the 3 words of the target");
  expect_failure(with(pairs, "3-1\n1-1\n"), 3, "line 1: the link 3-1 exceeds the 2 words of the source");
  expect_failure(with("a b ||| x y\na b ||| x y z\n", "\n\n"), 3, "gold, line 2: the link 3p3 exceeds the 2");
  expect_failure(with("a b ||| x y\n", "\n\n"), 3, "pairs has 1 line but " + gold + " has 2");
  expect_failure(with("a b ||| x y\na b c x y z\n", "\n\n"), 3, "pairs, line 2 has neither ||| nor a tab");
}

TEST_F(EvaluateLinks, NamesMistakes) {
  const std::string gold = folder_.write("gold", "0-0\n1p1\n");
  const auto system = [&](const std::string& text) { return folder_.write("system", text); };
  expect_failure(evaluate({gold, "-i", system("0-0\n")}), 3, "gold has 2 lines but ");
  for (const std::string bad : {"1", "1-", "-1", "1-2-3", "1:2", "a-b", "1--2", "-1-1", "1-99999999999999",
                                "0-0,1-1", "1 - 1", "2000000-1", "0x1-1", "1-1:0.5", "日-本"}) {
    expect_failure(evaluate({gold, "-i", system("0-0\n0-0 " + bad + "\n")}), 3, "system, line 2: '");
    expect_failure(evaluate({folder_.write("bad", bad + "\n0-0\n"), "-i", gold}), 3, "bad, line 1: '");
  }
  expect_failure(evaluate({gold, "-i", system("0-0\n1p1\n")}), 3, "system, line 2: 1p1");
  expect_failure(evaluate({gold, "-i", system("0-0\n\n"), "--reference-first-word", "1"}), 3,
                 "gold, line 1: the link 0-0");
  const ProgramResult unsure = evaluate({folder_.write("unsure", "0p0\n"), "-i", system("0-0\n")});
  EXPECT_EQ(unsure.status, 0);
  EXPECT_NE(unsure.errors.find("unsure has no sure link"), std::string::npos) << unsure.errors;
  expect_failure(evaluate({gold, "-i", gold, "-m", "f1"}), 2, "aer, precision, recall");
  expect_failure(evaluate({gold, "--pairs", "-"}), 2, "standard input is to be read 2 times");
}

}  // namespace
}  // namespace gloss
