// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_directory.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Imports directories of transformers with tokenizer.json.
struct ImportTokenizerJson : testing::Test {
  ProgramResult import_path(const std::string& path, const std::string& to) const {
    return run_program({kGlossBinary, "import", path, "--output", to, "--overwrite"});
  }
  ProgramResult import_from(const HuggingFaceDirectory& model, const std::string& to) const {
    std::filesystem::remove_all(folder / "foreign");
    model.write(folder / "foreign");
    return import_path(folder / "foreign", to);
  }
  std::string tokenizer(const std::string& model) const { return read_file(model + "/tokenizer.model"); }
  std::string ids(const std::string& model, const std::string& text) const {
    const ProgramResult result =
        run_program({kGlossBinary, "encode", "-t", model + "/tokenizer.model", "--output-type", "id"}, text);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  void expect_refused(const HuggingFaceDirectory& model, const std::vector<std::string>& names) const {
    const ProgramResult result = import_from(model, own);
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  /// A copy of a recorded directory without these files, with a tokenizer.json.
  std::string copy_of(const std::string& path, const std::vector<std::string>& without,
                      const nlohmann::json& file) const {
    const std::string to = folder / "copy";
    std::filesystem::remove_all(to);
    std::filesystem::create_directories(to);
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      const bool left_out = std::ranges::count(without, name) > 0;
      if (!left_out) std::filesystem::create_symlink(entry.path(), to + "/" + name);
    }
    folder.write("copy/tokenizer.json", file.dump());
    return to;
  }
  static std::string texts_of(const std::string& path) {
    std::string texts;
    const nlohmann::json tokens = read_json(path + "/tokens.json");
    for (const nlohmann::json& entry : tokens.at("sentences")) {
      std::string text = entry.at("text");
      if (text.find('\n') == std::string::npos) texts += text + "\n";
    }
    return texts;
  }

  TemporaryDirectory folder;
  std::string old = folder / "old", own = folder / "own";
};

}  // namespace gloss
