// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "tests/support/hugging_face_directory.h"
#include "tests/support/subword_model.h"

namespace gloss {

/// A T5 model in transformers' form with heads wider than the width, of the first version or of v1.1.
struct HuggingFaceT5 : HuggingFaceDirectory {
  static constexpr int kWidth = 8, kInner = 12, kHeads = 2, kHeadWidth = 6, kBuckets = 5, kPieces = 32;

  explicit HuggingFaceT5(bool gated = false) {
    config = {{"model_type", "t5"},
              {"d_model", kWidth},
              {"d_ff", kInner},
              {"d_kv", kHeadWidth},
              {"num_heads", kHeads},
              {"num_layers", 2},
              {"num_decoder_layers", 1},
              {"feed_forward_proj", gated ? "gated-gelu" : "relu"},
              {"tie_word_embeddings", !gated},
              {"relative_attention_num_buckets", kBuckets},
              {"relative_attention_max_distance", 7},
              {"layer_norm_epsilon", 1e-6},
              {"vocab_size", kPieces},
              {"decoder_start_token_id", 1},
              {"eos_token_id", 2},
              {"pad_token_id", 1}};
    files["spiece.model"] = cat_model();
    files["tokenizer_config.json"] = R"({"extra_ids": 2, "pad_token": "<s>"})";
    add("shared.weight", {kPieces, kWidth});
    if (gated) add("lm_head.weight", {kPieces, kWidth});
    for (const std::string side : {"encoder", "decoder"}) {
      for (int block = 0; block < (side == "encoder" ? 2 : 1); ++block) {
        const std::string layer = concat(side, ".block.", block, ".layer.");
        add_attention(layer + "0", "SelfAttention");
        if (side == "decoder") add_attention(layer + "1", "EncDecAttention");
        const std::string last = layer + (side == "decoder" ? "2" : "1");
        for (const std::string& part :
             gated ? std::vector<std::string>{"wi_0", "wi_1"} : std::vector<std::string>{"wi"})
          add(concat(last, ".DenseReluDense.", part, ".weight"), {kInner, kWidth});
        add(last + ".DenseReluDense.wo.weight", {kWidth, kInner});
        add(last + ".layer_norm.weight", {kWidth});
      }
      add(side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight", {kBuckets, kHeads});
      add(side + ".final_layer_norm.weight", {kWidth});
    }
  }

  void add_attention(const std::string& layer, const std::string& what) {
    for (const std::string part : {"q", "k", "v"})
      add(concat(layer, ".", what, ".", part, ".weight"), {kHeads * kHeadWidth, kWidth});
    add(concat(layer, ".", what, ".o.weight"), {kWidth, kHeads * kHeadWidth});
    add(layer + ".layer_norm.weight", {kWidth});
  }
};

}  // namespace gloss
