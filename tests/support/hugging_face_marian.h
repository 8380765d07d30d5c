// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "tests/support/hugging_face_directory.h"
#include "tests/support/subword_model.h"

namespace gloss {

/// A Marian model in transformers' form.
struct HuggingFaceMarian : HuggingFaceDirectory {
  static constexpr int kWidth = 8, kInner = 12, kPositions = 30;

  nlohmann::json vocabulary;

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
      add_norm(layer + "final_layer_norm", kWidth);
    }
    for (const std::string name : {"source.spm", "target.spm"}) files[name] = cat_model();
  }

  void add_attention(const std::string& name) {
    for (const std::string part : {"q", "k", "v", "out"})
      add_linear(concat(name, ".", part, "_proj"), kWidth, kWidth);
    add_norm(name + "_layer_norm", kWidth);
  }

  /// Writes the directory.
  void write(const std::string& directory) const {
    HuggingFaceDirectory whole = *this;
    if (!vocabulary.empty()) whole.files["vocab.json"] = vocabulary.dump();
    whole.write(directory);
  }
};

/// An M2M-100 model with the languages de, en and fr, in which English is the default source.
struct HuggingFaceM2m : HuggingFaceMarian {
  nlohmann::json special_tokens;

  HuggingFaceM2m() {
    vocabulary = {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2}, {"<unk>", 3}};
    for (const std::string piece : {"▁the", "▁cat", "▁sat", "▁", "a", "t", "h", "e", "s"})
      vocabulary[piece] = static_cast<int>(vocabulary.size());
    const int pieces = static_cast<int>(vocabulary.size()) + 3 + 2;  // two are spare
    special_tokens = {{"unk_token", "<unk>"}, {"additional_special_tokens", {"__de__", "__en__", "__fr__"}}};
    config["model_type"] = "m2m_100";
    config["vocab_size"] = pieces;
    config["decoder_start_token_id"] = config["eos_token_id"] = 2;
    config["pad_token_id"] = 1;
    config.erase("decoder_vocab_size");
    arrays.erase("final_logits_bias");
    add("model.shared.weight", {pieces, kWidth});
    for (const std::string side : {"encoder", "decoder"})
      add_norm(concat("model.", side, ".layer_norm"), kWidth);
    files = {{"sentencepiece.bpe.model", cat_model()}};
  }

  void write(const std::string& directory) const {
    HuggingFaceMarian whole = *this;
    whole.files["special_tokens_map.json"] = special_tokens.dump();
    whole.write(directory);
  }
};

}  // namespace gloss
