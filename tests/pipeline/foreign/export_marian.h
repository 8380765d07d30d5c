// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/formats/npz.h"
#include "model/formats/yaml.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// A vocabulary without a begin piece, as Marian's are.
inline Subwords vocabulary_of_marian(int size) {
  Listener silent;
  SubwordSettings settings;
  settings.size = size;
  settings.begin_piece = false;
  int line = 0;
  const auto next = [&](std::string& text) {
    text = "the small dog sees a big house and walks home number " + std::to_string(line);
    return line++ < 100;
  };
  return learn_subwords(next, settings, 1, silent);
}

/// gloss export --format marian through the real binary.
struct ExportMarian : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult export_model() const {
    return gloss({"export", "-m", native, "--format", "marian", "-o", foreign, "--overwrite"});
  }
  NetworkSettings settings() const {
    NetworkSettings network = small_network(pieces, pieces, 1024);
    set_vocabulary(network, {pieces.size(), pieces.size(), pieces.begin_id(), pieces.end_id()});
    network.own<TransformerSettings>().norm_epsilon = 1e-6;
    network.sizes.tied_embeddings = TiedEmbeddings::all;
    return network;
  }
  void write_native(const NetworkSettings& network) const {
    std::filesystem::remove_all(native);
    std::filesystem::create_directory(native);
    write_random_model(native, network, pieces, pieces, 3);
  }
  /// Expects that the model has the same settings, weights and tokenizers after export and import.
  void expect_back() const {
    const ProgramResult written = export_model();
    ASSERT_EQ(written.status, 0) << written.errors;
    const ProgramResult read = gloss({"import", foreign, "-o", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
    EXPECT_FALSE(has(read.errors, "not used")) << read.errors;
    EXPECT_EQ(read_file(native + "/model.safetensors"), read_file(back + "/model.safetensors"));
    nlohmann::json before = read_model_config(native)["network"], after = read_model_config(back)["network"];
    for (const std::string training :
         {"dropout", "embedding_dropout", "attention_dropout", "activation_dropout"}) {
      before.erase(training);
      after.erase(training);
    }
    EXPECT_EQ(before, after);
    const TokenizerPaths ours = tokenizer_paths(native), theirs = tokenizer_paths(back);
    EXPECT_EQ(read_file(ours.source), read_file(theirs.source));
    EXPECT_EQ(read_file(ours.target), read_file(theirs.target));
  }
  void expect_kept(const NetworkSettings& network) const {
    write_native(network);
    expect_back();
  }
  void expect_same_translations() const {
    const auto translate = [&](const std::string& model) {
      return gloss({"translate", "-m", model, "--max-length", "10", "--n-best", "2"},
                   "the small dog\na big house\n\nwalks home\n");
    };
    const ProgramResult before = translate(native), after = translate(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_GT(before.output.size(), 20u);
    EXPECT_EQ(before.output, after.output) << after.errors;
  }
  /// Expects that a model is refused with a message that names a setting and its value.
  void expect_refused(const NetworkSettings& network, const std::string& setting,
                      const std::string& value) const {
    write_native(network);
    const ProgramResult result = export_model();
    EXPECT_EQ(result.status, 2) << setting << result.errors;
    EXPECT_TRUE(has(result.errors, setting)) << result.errors;
    EXPECT_TRUE(has(result.errors, value)) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(foreign)) << setting;
  }
  nlohmann::json options() const {
    const std::string text = read_npz(foreign + "/model.npz").at("special:model.yml").bytes(1 << 16);
    return parse_yaml(text.substr(0, text.find('\0')), "special:model.yml");
  }

  TemporaryDirectory folder;
  std::string native = folder / "native", foreign = folder / "foreign", back = folder / "back";
  Subwords pieces = vocabulary_of_marian(45);
};

}  // namespace gloss
