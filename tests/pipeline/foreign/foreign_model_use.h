// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/hugging_face_marian.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {

/// A model of another program that commands use without `gloss import`.
struct ForeignModelUse : testing::Test {
  ForeignModelUse() {
    HuggingFaceMarian().write(foreign);
    std::filesystem::create_directory(temporary);
    folder.write("a", "the cat\n");
    folder.write("b", "the mat\n");
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "",
                      const std::string& cache = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input, {"TMPDIR=" + temporary, "GLOSS_IMPORT_CACHE=" + cache});
  }
  std::string translation(const std::string& model, const std::string& cache = "") const {
    const ProgramResult result =
        gloss({"translate", "-m", model, "--max-length", "9", "--n-best", "2"}, "the cat\nthe mat\n", cache);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own", temporary = folder / "temporary";
};

}  // namespace gloss
