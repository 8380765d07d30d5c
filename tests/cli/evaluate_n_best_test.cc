// SPDX-License-Identifier: Apache-2.0
// gloss evaluate --n-best-list: the best translations of a list.
#include "tests/support/evaluate_command.h"

namespace gloss {
namespace {

struct EvaluateNBest : testing::Test {
  ProgramResult best(const std::string& lines, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {reference, "--n-best-list", folder.write("list", lines)});
    return evaluate(more);
  }
  void expect_failure(const ProgramResult& result, int status, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.status, status) << result.errors;
    for (const std::string& part : parts) {
      EXPECT_TRUE(has(result.errors, part)) << part << ": " << result.errors;
    }
  }
  TemporaryDirectory folder;
  std::string reference = folder.write("reference", "the cat sat on the mat\n\na dog ran home today\n");
  const std::string list =
      "0 ||| the cat sat ||| F= 1 ||| -1\n"
      "0 ||| the cat sat on the mat ||| F= 1 ||| -2\n"
      "0 ||| the cat sat on the mat ||| F= 2 ||| -3\n"
      "1 |||  ||| F= 1 ||| -1\n"
      "2 ||| some dogs were here ||| F= 1 ||| -1\n"
      "2 ||| a dog ran | home then ||| F= 1 ||| -2\n";
};

TEST_F(EvaluateNBest, WritesTheTranslationWithTheBestScoreOfEachLine) {
  const ProgramResult result = best(list);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "the cat sat on the mat\n\na dog ran | home then\n");
  EXPECT_EQ(best(list, {"-m", "ter"}).output, result.output) << "lower is better";
  EXPECT_EQ(evaluate({reference, "--n-best-list", "-"}, list).output, result.output);
}

TEST_F(EvaluateNBest, EqualScoresKeepTheFirst) {
  reference = folder.write("reference", "x\n");
  EXPECT_EQ(best("0 ||| a ||| F= 1 ||| -1\n0 ||| b ||| F= 1 ||| -2\n").output, "a\n");
}

TEST_F(EvaluateNBest, ErrorsNameFileAndLine) {
  expect_failure(best("0 ||| a ||| F= 1 ||| -1\n2 ||| b ||| F= 1 ||| -1\n"), 3, {"list:2", "line 1"});
  expect_failure(best(list + "1 ||| b ||| F= 1 ||| -1\n"), 3, {"list:7", "line 1 follows line 2"});
  expect_failure(best(list + "3 ||| b ||| F= 1 ||| -1\n"), 3, {"list:7", "line 3"});
  expect_failure(best("0 ||| a ||| F= 1 ||| -1\n"), 3, {"list", "line 1"});
  expect_failure(best(""), 3, {"list", "line 0"});
  expect_failure(best("nonsense\n"), 3, {"list:1", "|||"});
  expect_failure(best(list, {"-i", reference}), 2, {"--n-best-list", "--input"});
  expect_failure(best(list, {"-m", "bleu", "ter"}), 2, {"--n-best-list"});
  expect_failure(best(list, {"--confidence"}), 2, {"--n-best-list"});
}

}  // namespace
}  // namespace gloss
