#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

ProgramResult evaluate(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {GLOSS_BINARY, "evaluate"});
  return run_program(arguments, input);
}

TEST(EvaluateCommand, ScoresAFileOrStandardInput) {
  const TemporaryDirectory folder;
  const std::string reference = folder.write("ref", "the cat sat on the mat\n");
  const std::string hypothesis = folder.write("hyp", "the cat sat on a mat\n");
  const ProgramResult file =
      evaluate({reference, "-i", hypothesis, "-m", "bleu", "-tok", "13a", "-b", "-w", "4"});
  EXPECT_EQ(file.status, 0) << file.errors;
  EXPECT_EQ(file.output, "53.7285\n");
  const ProgramResult standard = evaluate({reference, "-b", "-w", "4"}, "the cat sat on a mat\n");
  EXPECT_EQ(standard.output, file.output);
}

TEST(EvaluateCommand, UnequalLineCountsAreAnInputError) {
  const TemporaryDirectory folder;
  const ProgramResult result = evaluate({folder.write("ref", "a\nb\n")}, "a\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errors.find("2 lines"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

TEST(EvaluateCommand, MistakesOnTheCommandLine) {
  const TemporaryDirectory folder;
  const std::string reference = folder.write("ref", "a\n");
  EXPECT_EQ(evaluate({}).status, 2);
  EXPECT_EQ(evaluate({reference, "-tok", "14a"}, "a\n").status, 2);
  EXPECT_EQ(evaluate({reference, "-m", "blue"}, "a\n").status, 2);
  EXPECT_EQ(evaluate({folder / "missing"}, "a\n").status, 3);
  EXPECT_EQ(evaluate({reference}, "").status, 3);
}

}  // namespace
}  // namespace gloss
