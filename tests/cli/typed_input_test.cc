// SPDX-License-Identifier: Apache-2.0
// Commands that read standard input say so if it is a terminal.
#include <gtest/gtest.h>

#include "tests/support/has.h"
#include "tests/support/on_terminal.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

using TypedInput = UntrainedModels;

TEST_F(TypedInput, IsAnnouncedOnce) {
  const std::string typed = "a cat\nthe dog\n";
  const ProgramResult result = run_typed({kGlossBinary, "translate", "-m", *folder / "a"}, typed);
  EXPECT_EQ(result.status, 0) << result.errors;
  const std::size_t first = result.errors.find("from this terminal");
  EXPECT_NE(first, std::string::npos) << result.errors;
  EXPECT_EQ(result.errors.find("from this terminal", first + 1), std::string::npos) << result.errors;
  EXPECT_TRUE(has(result.errors, "gloss translate: ") && has(result.errors, "Ctrl-D")) << result.errors;
}

TEST_F(TypedInput, EndsWithTheFirstCtrlD) {
  const ProgramResult result = run_typed({kGlossBinary, "translate", "-m", *folder / "a"}, "");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
}

TEST_F(TypedInput, OfAnEvaluationIsCalledByItsReferences) {
  const std::string one = folder->write("one", "a cat\n"), two = folder->write("two", "the cat\n");
  const ProgramResult result = run_typed({kGlossBinary, "evaluate", one, two}, "a cat\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, one + " and " + two) && has(result.errors, "--input")) << result.errors;
}

TEST_F(TypedInput, IsNotWaitedForIfAReferenceIsMissing) {
  const ProgramResult result = run_program({kGlossBinary, "evaluate", *folder / "missing"});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, *folder / "missing") && !has(result.errors, "standard input"))
      << result.errors;
}

TEST_F(TypedInput, IsNotAnnouncedIfQuietOrNotRead) {
  const std::string text = folder->write("text", "a cat\n");
  const ProgramResult quiet = run_typed({kGlossBinary, "translate", "-q", "-m", *folder / "a"}, "a\n");
  EXPECT_EQ(quiet.status, 0) << quiet.errors;
  EXPECT_FALSE(has(quiet.errors, "terminal")) << quiet.errors;
  const ProgramResult file = run_typed({kGlossBinary, "translate", "-m", *folder / "a", text}, "a\n");
  EXPECT_EQ(file.status, 0) << file.errors;
  EXPECT_FALSE(has(file.errors, "terminal")) << file.errors;
  const ProgramResult piped = translate("a\n");
  EXPECT_FALSE(has(piped.errors, "terminal")) << piped.errors;
}

}  // namespace
}  // namespace gloss
