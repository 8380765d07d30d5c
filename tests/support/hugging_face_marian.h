// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/index.h"
#include "base/random.h"
#include "base/text.h"
#include "model/formats/safetensors.h"
#include "tests/support/subword_model.h"

namespace gloss {

/// A tiny Marian model in transformers' form, with random weights, to be changed and written.
struct HuggingFaceMarian {
  static constexpr int kWidth = 8, kInner = 12, kPositions = 30;
  struct Array {
    Shape shape;
    std::vector<float> values;
  };

  nlohmann::json config;
  nlohmann::json vocabulary;
  std::map<std::string, Array> arrays;

  HuggingFaceMarian() {
    vocabulary = {{"</s>", 0}, {"<unk>", 1}};
    for (const std::string piece :
         {"▁the", "▁cat", "▁sat", "▁on", "▁mat", "▁", "a", "t", "h", "e", "s", "m"}) {
      vocabulary[piece] = static_cast<int>(vocabulary.size());
    }
    const int padding = static_cast<int>(vocabulary.size()), pieces = padding + 1;
    vocabulary["<pad>"] = padding;
    config = {{"model_type", "marian"},
              {"activation_function", "swish"},
              {"d_model", kWidth},
              {"encoder_layers", 1},
              {"decoder_layers", 1},
              {"encoder_attention_heads", 2},
              {"decoder_attention_heads", 2},
              {"encoder_ffn_dim", kInner},
              {"decoder_ffn_dim", kInner},
              {"max_position_embeddings", kPositions},
              {"vocab_size", pieces},
              {"decoder_vocab_size", pieces},
              {"decoder_start_token_id", padding},
              {"eos_token_id", 0},
              {"pad_token_id", padding},
              {"scale_embedding", true}};
    add("model.shared.weight", {pieces, kWidth});
    add("final_logits_bias", {1, pieces});
    for (const std::string side : {"encoder", "decoder"}) {
      const std::string layer = concat("model.", side, ".layers.0.");
      add_attention(layer + "self_attn");
      if (side == "decoder") add_attention(layer + "encoder_attn");
      add_linear(layer + "fc1", kInner, kWidth);
      add_linear(layer + "fc2", kWidth, kInner);
      add_norm(layer + "final_layer_norm");
    }
  }

  void add(const std::string& name, const Shape& shape) {
    Array& array = arrays[name] = {shape, std::vector<float>(index(shape.count()))};
    for (float& value : array.values) value = static_cast<float>(random_.normal() / 2);
  }
  void add_linear(const std::string& name, int out, int in) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out});
  }
  void add_norm(const std::string& name) {
    for (const std::string part : {".weight", ".bias"}) add(name + part, {kWidth});
  }
  void add_attention(const std::string& name) {
    for (const std::string part : {"q", "k", "v", "out"})
      add_linear(concat(name, ".", part, "_proj"), kWidth, kWidth);
    add_norm(name + "_layer_norm");
  }

  /// Writes the directory.
  void write(const std::string& directory) const {
    std::filesystem::create_directories(directory);
    const auto write_text = [&](const std::string& name, const std::string& text) {
      AtomicFile file(concat(directory, "/", name));
      file.write(text);
      file.commit();
    };
    write_text("config.json", config.dump());
    write_text("vocab.json", vocabulary.dump());
    for (const std::string name : {"source.spm", "target.spm"}) write_text(name, cat_model());
    std::vector<NamedArray> named;
    for (const auto& [name, array] : arrays)
      named.push_back({name, DType::f32, array.shape, array.values.data()});
    AtomicFile file(directory + "/model.safetensors");
    write_safetensors(file, named);
    file.commit();
  }

 private:
  Random random_{7};
};

}  // namespace gloss
