// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Imports models with many languages.
struct ImportLanguages : testing::Test {
  ImportLanguages() {
    folder.write("a", "the cat\n");
    folder.write("b", "the\n");
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const HuggingFaceM2m& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  ProgramResult translate(const std::vector<std::string>& more, const std::string& text = "the cat\n") const {
    std::vector<std::string> words{"translate", "-m", own, "--max-length", "5", "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, text);
  }
  void expect_refused(const HuggingFaceM2m& model, const std::string& name, const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

}  // namespace gloss
