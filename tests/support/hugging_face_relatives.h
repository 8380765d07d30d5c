// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "tests/support/hugging_face_encoders.h"
#include "tests/support/hugging_face_marian.h"

namespace gloss {

/// mBART-50, with the languages of its kind of codes.
struct HuggingFaceMbart : HuggingFaceM2m {
  static constexpr int kSpare = 2;

  HuggingFaceMbart() {
    vocabulary.clear();
    const int pieces = 28 + 3 + 1;  // those of the model with <pad>, the languages, <mask>
    special_tokens["additional_special_tokens"] = {"de_DE", "en_XX", "fr_XX"};
    config["model_type"] = "mbart";
    config["vocab_size"] = pieces;
    config["forced_bos_token_id"] = 28;
    add("model.shared.weight", {pieces, kWidth});
    for (const std::string side : {"encoder", "decoder"}) {
      add(concat("model.", side, ".embed_positions.weight"), {kPositions + kSpare, kWidth});
      add_norm(concat("model.", side, ".layernorm_embedding"), kWidth);
    }
  }
};

/// NLLB, whose languages follow the text.
struct HuggingFaceNllb : HuggingFaceM2m {
  HuggingFaceNllb() {
    vocabulary.clear();
    const int pieces = 28 + 3 + 1;
    special_tokens["additional_special_tokens"] = {"deu_Latn", "eng_Latn", "fra_Latn"};
    config["vocab_size"] = pieces;
    config["max_length"] = 20;
    config["num_beams"] = 3;
    config["early_stopping"] = true;
    add("model.shared.weight", {pieces, kWidth});
    files["tokenizer_config.json"] = R"({"legacy_behaviour": true, "tgt_lang": "fra_Latn"})";
  }
};

/// A vocabulary of byte-level BPE in fairseq's order, and its merges.
inline void add_byte_pairs(HuggingFaceDirectory& to) {
  to.files["vocab.json"] =
      R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"c":6,"\u0120":7,"ab":8,"<mask>":9})";
  to.files["merges.txt"] = "#version: 0.2\na b\n";
}
inline constexpr int kBytePairs = 10;

/// BART, with an embedding that no token uses.
struct HuggingFaceBart : HuggingFaceMarian {
  static constexpr int kSpare = 2;

  HuggingFaceBart() {
    vocabulary.clear();
    files.clear();
    add_byte_pairs(*this);
    const int pieces = kBytePairs + 1;
    config["model_type"] = "bart";
    config["activation_function"] = "gelu";
    config["vocab_size"] = pieces;
    config.erase("decoder_vocab_size");
    config["decoder_start_token_id"] = config["eos_token_id"] = 2;
    config["pad_token_id"] = 1;
    config["scale_embedding"] = false;
    add("model.shared.weight", {pieces, kWidth});
    add("final_logits_bias", {1, pieces});
    for (const std::string side : {"encoder", "decoder"}) {
      add(concat("model.", side, ".embed_positions.weight"), {kPositions + kSpare, kWidth});
      add_norm(concat("model.", side, ".layernorm_embedding"), kWidth);
    }
  }
};

/// RoBERTa, or XLM-R with SentencePiece.
struct HuggingFaceRoberta : HuggingFaceBert {
  static constexpr int kSpare = 2;

  explicit HuggingFaceRoberta(bool classifies, bool across_languages = false) : HuggingFaceBert(classifies) {
    const std::vector<std::pair<std::string, std::string>> names{
        {"bert.pooler.dense", "classifier.dense"},
        {"classifier.weight", "classifier.out_proj.weight"},
        {"classifier.bias", "classifier.out_proj.bias"},
        {"cls.predictions.transform.dense", "lm_head.dense"},
        {"cls.predictions.transform.LayerNorm", "lm_head.layer_norm"},
        {"cls.predictions.bias", "lm_head.bias"},
        {"bert.", "roberta."}};
    for (const auto& [from, to] : names) {
      std::vector<std::string> found;
      for (const auto& [name, array] : arrays) {
        if (name.starts_with(from)) found.push_back(name);
      }
      for (const std::string& name : found) rename(name, to + name.substr(from.size()));
    }
    const int pieces = across_languages ? 28 + 1 : kBytePairs;
    files.clear();
    if (across_languages) {
      files["sentencepiece.bpe.model"] = cat_model();
    } else {
      add_byte_pairs(*this);
    }
    config["model_type"] = across_languages ? "xlm-roberta" : "roberta";
    config["vocab_size"] = pieces;
    config["max_position_embeddings"] = kPositions + kSpare;
    config["type_vocab_size"] = 1;
    config["layer_norm_eps"] = 1e-5;
    add("roberta.embeddings.word_embeddings.weight", {pieces, kWidth});
    add("roberta.embeddings.position_embeddings.weight", {kPositions + kSpare, kWidth});
    add("roberta.embeddings.token_type_embeddings.weight", {1, kWidth});
    if (!classifies) add("lm_head.bias", {pieces});
  }
};

/// BERT without a head, as BertModel stores it.
struct HuggingFaceBareBert : HuggingFaceBert {
  HuggingFaceBareBert() : HuggingFaceBert(false) {
    std::vector<std::string> names;
    for (const auto& [name, array] : arrays) names.push_back(name);
    for (const std::string& name : names) {
      if (name.starts_with("bert.")) rename(name, name.substr(5));
      if (name.starts_with("cls.")) arrays.erase(name);
    }
  }
};

}  // namespace gloss
