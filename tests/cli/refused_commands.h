// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// What the program says to a wrong command line.
inline std::string refusal(std::vector<std::string> words) {
  words.insert(words.begin(), kGlossBinary);
  const ProgramResult result = run_program(words);
  EXPECT_EQ(result.status, 2) << join(words, " ") << ": " << result.errors;
  EXPECT_EQ(result.output, "") << join(words, " ");
  return result.errors;
}

/// A directory in the place of a model, and two texts of one line.
struct RefusedCommands : testing::Test {
  RefusedCommands() { std::filesystem::create_directory(folder / "model"); }
  TemporaryDirectory folder;
  std::string model = folder / "model", text = folder.write("text", "a\n"),
              more = folder.write("more", "b\n");
};

}  // namespace gloss
