// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include "base/json.h"
#include "model/formats/safetensors.h"
#include "tests/pipeline/foreign/export_command.h"

namespace gloss {

/// Exports models that gloss trains, for transformers.
struct ExportNative : ExportCommand {
  nlohmann::json exported(const std::string& name) const {
    return nlohmann::json::parse(folder.read("foreign/" + name));
  }
  /// Writes a model with random weights and text settings.
  void write_with(const NetworkSettings& network, const TextFormat& format) const {
    write_native(network);
    write_text(format);
  }
  /// Replaces the text settings of the native model.
  void write_text(const TextFormat& format) const {
    nlohmann::json config = read_model_config(native);
    config["text"] = text_settings(format);
    folder.write("native/config.json", config.dump());
  }
  /// Exports and imports the native model; expects a model_type and a tokenizer class.
  void expect_class(const std::string& model_type, const std::string& tokenizer_class) const {
    std::filesystem::remove_all(foreign);
    const ProgramResult written = export_to("huggingface", native);
    ASSERT_EQ(written.status, 0) << written.errors;
    EXPECT_EQ(exported("config.json")["model_type"], model_type);
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], tokenizer_class);
    const ProgramResult read = gloss({"import", foreign, "--output", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
  }
  void expect_same_output(const std::vector<std::string>& words, const std::string& text) const {
    const auto run = [&](const std::string& model) {
      std::vector<std::string> all{words.front(), "-m", model, "--precision", "f32"};
      all.insert(all.end(), words.begin() + 1, words.end());
      return gloss(all, text);
    };
    const ProgramResult before = run(native), after = run(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_EQ(before.output, after.output) << after.errors;
    EXPECT_NE(before.output, "");
  }
  /// The settings of an encoder that BERT can have.
  NetworkSettings encoder() const {
    NetworkSettings network = settings();
    network.sizes.decoder_layers = 0;
    network.sizes.tied_embeddings = TiedEmbeddings::all;
    network.sizes.scale_embeddings = false;
    auto& own = network.own<TransformerSettings>();
    own.embedding_norm = true;
    own.norm_epsilon = 1e-12;
    own.positions = Positions::learned;
    own.activation = own.readout_activation = Activation::gelu_exact;
    return network;
  }
  /// The settings of a language model that GPT-2 can have.
  NetworkSettings language_model() const {
    NetworkSettings network = settings();
    network.sizes.encoder_layers = 0;
    network.sizes.scale_embeddings = false;
    network.begin_token = network.end_token;
    auto& own = network.own<TransformerSettings>();
    own.norm = NormPlacement::pre;
    own.positions = Positions::learned;
    own.activation = Activation::gelu;
    return network;
  }
  /// The settings of a network that T5 can have.
  NetworkSettings text_to_text() const {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = TiedEmbeddings::inputs;
    network.sizes.scale_embeddings = false;
    auto& own = network.own<TransformerSettings>();
    own.norm = NormPlacement::pre;
    own.norm_type = NormType::rms;
    own.linear_bias = false;
    own.attention_scale = AttentionScale::none;
    own.positions = Positions::buckets;
    own.relative_reach = 128;
    return network;
  }
  void expect_no_export(const NetworkSettings& network, const std::string& setting,
                        const std::string& value) const {
    expect_refused("huggingface", network, setting, value);
  }
  TextFormat masked_text() const {
    TextFormat format;
    format.mask_token = 44;
    return format;
  }
};

}  // namespace gloss
