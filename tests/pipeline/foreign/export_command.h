// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/formats/safetensors.h"
#include "model/model_directory.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// gloss export through the real binary: a native model, its export and the import of that.
struct ExportCommand : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult export_to(const std::string& format, const std::string& from) const {
    return gloss({"export", "-m", from, "--format", format, "--output", foreign, "--overwrite"});
  }
  /// The settings of a small transformer with a common vocabulary.
  NetworkSettings settings() const { return small_network(pieces, pieces); }
  void write_native(const NetworkSettings& network) const {
    std::filesystem::remove_all(native);
    std::filesystem::create_directory(native);
    write_random_model(native, network, pieces, pieces, 3);
  }
  /// Expects that a native model has the same settings and weights after export and import.
  void expect_kept(const std::string& format, const NetworkSettings& network) const {
    write_native(network);
    expect_back(format);
  }
  void expect_back(const std::string& format) const {
    const ProgramResult written = export_to(format, native);
    ASSERT_EQ(written.status, 0) << written.errors;
    const ProgramResult read = gloss({"import", foreign, "--output", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
    expect_same_weights();
    nlohmann::json before = read_model_config(native)["network"], after = read_model_config(back)["network"];
    for (const std::string training :
         {"dropout", "embedding_dropout", "attention_dropout", "activation_dropout"}) {
      before.erase(training);
      after.erase(training);
    }
    EXPECT_EQ(before, after);
    EXPECT_EQ(tokenizers(native), tokenizers(back));
  }
  static std::vector<std::string> tokenizers(const std::string& directory) {
    const TokenizerPaths paths = tokenizer_paths(directory);
    return {read_file(paths.source), read_file(paths.target)};
  }
  void expect_same_weights() const {
    const SafetensorsFile before(native + "/model.safetensors"), after(back + "/model.safetensors");
    ASSERT_EQ(before.arrays().size(), after.arrays().size());
    for (const auto& [name, array] : before.arrays()) {
      const NamedArray& other = after.array(name, array.dtype, array.shape);
      EXPECT_EQ(std::memcmp(array.data, other.data, index(array.shape.count()) * size_of(array.dtype)), 0)
          << name;
    }
  }
  void expect_same_translations() const {
    const std::vector<std::string> options{"--max-length", "10", "--n-best", "2"};
    const auto translate = [&](const std::string& model) {
      std::vector<std::string> words{"translate", "-m", model};
      words.insert(words.end(), options.begin(), options.end());
      return gloss(words, "the small dog\na big house\n\nwalks home\n");
    };
    const ProgramResult before = translate(native), after = translate(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_EQ(before.output, after.output) << after.errors;
  }
  /// Expects that a model is refused with a message that names a setting and its value.
  void expect_refused(const std::string& format, const NetworkSettings& network, const std::string& setting,
                      const std::string& value) const {
    write_native(network);
    const ProgramResult result = export_to(format, native);
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_TRUE(has(result.errors, setting)) << result.errors;
    EXPECT_TRUE(has(result.errors, value)) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(foreign + "/config.json"));
  }

  TemporaryDirectory folder;
  std::string native = folder / "native", foreign = folder / "foreign", back = folder / "back";
  Subwords pieces = small_vocabulary(45);
};

}  // namespace gloss
