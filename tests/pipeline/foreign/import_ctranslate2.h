// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/ctranslate2_model.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {

/// The log-probability of the best translation.
inline double best_score(const ProgramResult& result) {
  EXPECT_EQ(result.status, 0) << result.errors;
  return json_lines(result.output)[0]["translations"][0]["log_probability"];
}

/// gloss import of a small model of CTranslate2, through the real binary.
struct ImportCTranslate2 : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const CTranslate2Model& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const CTranslate2Model& model, const std::string& name,
                      const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }
  std::string translation(const std::string& text) const {
    return gloss({"translate", "-m", own, "--max-length", "6"}, text).output;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

}  // namespace gloss
