// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "tests/support/hugging_face_directory.h"

namespace gloss {

/// A BERT model for masked tokens or, with labels, for classes.
struct HuggingFaceBert : HuggingFaceDirectory {
  static constexpr int kWidth = 8, kInner = 12, kPositions = 30, kPieces = 11;

  explicit HuggingFaceBert(bool classifies) {
    files["vocab.txt"] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\ns\n##s\n.\n";
    config = {{"model_type", "bert"},
              {"hidden_act", "gelu"},
              {"hidden_size", kWidth},
              {"intermediate_size", kInner},
              {"num_hidden_layers", 1},
              {"num_attention_heads", 2},
              {"max_position_embeddings", kPositions},
              {"type_vocab_size", 2},
              {"vocab_size", kPieces}};
    add("bert.embeddings.word_embeddings.weight", {kPieces, kWidth});
    add("bert.embeddings.position_embeddings.weight", {kPositions, kWidth});
    add("bert.embeddings.token_type_embeddings.weight", {2, kWidth});
    add_norm("bert.embeddings.LayerNorm", kWidth);
    const std::string layer = "bert.encoder.layer.0.";
    for (const std::string part : {"self.query", "self.key", "self.value", "output.dense"})
      add_linear(layer + "attention." + part, kWidth, kWidth);
    add_norm(layer + "attention.output.LayerNorm", kWidth);
    add_linear(layer + "intermediate.dense", kInner, kWidth);
    add_linear(layer + "output.dense", kWidth, kInner);
    add_norm(layer + "output.LayerNorm", kWidth);
    if (classifies) {
      config["id2label"] = {{"0", "bad"}, {"1", "good"}, {"2", "so so"}};
      add_linear("bert.pooler.dense", kWidth, kWidth);
      add_linear("classifier", 3, kWidth);
    } else {
      add_linear("cls.predictions.transform.dense", kWidth, kWidth);
      add_norm("cls.predictions.transform.LayerNorm", kWidth);
      add("cls.predictions.bias", {kPieces});
    }
  }
};

/// A GPT-2 model of the letters a to e and the space.
struct HuggingFaceGpt2 : HuggingFaceDirectory {
  static constexpr int kWidth = 8, kPositions = 30, kPieces = 8;

  HuggingFaceGpt2() {
    files["vocab.json"] = R"({"a":0,"b":1,"c":2,"d":3,"e":4,"\u0120":5,"ab":6,"<|endoftext|>":7})";
    files["merges.txt"] = "#version: 0.2\na b\n";
    config = {{"model_type", "gpt2"}, {"n_embd", kWidth},          {"n_layer", 1},
              {"n_head", 2},          {"n_positions", kPositions}, {"vocab_size", kPieces},
              {"bos_token_id", 7},    {"eos_token_id", 7},         {"activation_function", "gelu_new"}};
    add("transformer.wte.weight", {kPieces, kWidth});
    add("transformer.wpe.weight", {kPositions, kWidth});
    const std::string layer = "transformer.h.0.";
    add_norm(layer + "ln_1", kWidth);
    add_transposed(layer + "attn.c_attn", 3 * kWidth, kWidth);
    add_transposed(layer + "attn.c_proj", kWidth, kWidth);
    add_norm(layer + "ln_2", kWidth);
    add_transposed(layer + "mlp.c_fc", 4 * kWidth, kWidth);
    add_transposed(layer + "mlp.c_proj", kWidth, 4 * kWidth);
    add_norm("transformer.ln_f", kWidth);
  }
  void add_transposed(const std::string& name, int out, int in) {
    add(name + ".weight", {in, out});
    add(name + ".bias", {out});
  }
};

}  // namespace gloss
