// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/formats/safetensors.h"
#include "tests/support/has.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Imports models of Marian.
struct ImportMarian : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_path(const std::string& path) const {
    return gloss({"import", path, "--output", own, "--overwrite"});
  }
  ProgramResult import_from(const MarianModel& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return import_path(foreign);
  }
  std::string translations(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"translate", "-m",          own, "--max-length",     "9", "--n-best",
                                   "3",         "--beam-size", "4", "--length-penalty", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, "the cat sat\non the mat\n\na cat\n");
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  void expect_refused(const ProgramResult& result, const std::vector<std::string>& names) const {
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  void expect_refused(const MarianModel& model, const std::vector<std::string>& names) const {
    expect_refused(import_from(model), names);
    EXPECT_FALSE(std::filesystem::exists(own + "/config.json"));
  }
  /// One number of a weight in the model directory.
  float weight(const std::string& name, std::int64_t row, std::int64_t column) const {
    const SafetensorsFile file(own + "/model.safetensors");
    const NamedArray& array = file.arrays().at(name);
    return static_cast<const float*>(array.data)[row * array.shape.columns() + column];
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

}  // namespace gloss
