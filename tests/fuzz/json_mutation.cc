// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/json_mutation.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace gloss {
namespace {

using nlohmann::json;

constexpr std::size_t kMostParts = 4096;

/// A value and what contains it.
struct Part {
  json* value;
  json* parent;
};

void collect(json& value, json* parent, std::vector<Part>& parts) {
  if (parts.size() == kMostParts) return;
  parts.push_back({&value, parent});
  if (!value.is_structured()) return;
  for (json& part : value) collect(part, &value, parts);
}

const std::vector<json>& values() {
  static const std::vector<json> all = [] {
    std::vector<json> list{nullptr,
                           true,
                           false,
                           0.5,
                           -0.0,
                           1e-320,
                           1e308,
                           "",
                           "a",
                           "{}",
                           "2",
                           "-1",
                           "[]",
                           "\n",
                           "\t",
                           "\u00fc",
                           "../a",
                           "/",
                           ".",
                           "..",
                           "a b",
                           kNotANumber,
                           kInfinity,
                           json::array(),
                           json::object(),
                           json::array({json::array()}),
                           "/dev/zero"};
    for (const std::int64_t number : {0LL,
                                      1LL,
                                      2LL,
                                      3LL,
                                      4LL,
                                      5LL,
                                      6LL,
                                      7LL,
                                      8LL,
                                      12LL,
                                      13LL,
                                      14LL,
                                      15LL,
                                      16LL,
                                      24LL,
                                      30LL,
                                      31LL,
                                      32LL,
                                      33LL,
                                      64LL,
                                      127LL,
                                      128LL,
                                      255LL,
                                      256LL,
                                      1000LL,
                                      1001LL,
                                      1024LL,
                                      32767LL,
                                      65535LL,
                                      65536LL,
                                      65537LL,
                                      1LL << 20,
                                      (1LL << 20) + 1,
                                      1LL << 24,
                                      (1LL << 24) + 1,
                                      (1LL << 31) - 1,
                                      1LL << 31,
                                      (1LL << 32) - 1,
                                      1LL << 32,
                                      (1LL << 32) + 1,
                                      (1LL << 32) + 7}) {
      list.emplace_back(number);
      list.emplace_back(-number);
    }
    list.emplace_back(std::numeric_limits<std::int64_t>::max());
    list.emplace_back(std::numeric_limits<std::int64_t>::min());
    list.emplace_back(std::numeric_limits<std::uint64_t>::max());
    list.emplace_back(std::string(300, 'n'));
    return list;
  }();
  return all;
}

json some_value(std::minstd_rand& random) {
  return below(random, 4) == 0 ? json(some_word(random)) : one_of(random, values());
}

void change_number(json& value, std::minstd_rand& random) {
  if (!value.is_number_integer()) return static_cast<void>(value = some_value(random));
  const auto number = value.get<std::uint64_t>();
  const std::uint64_t changed[] = {number + 1, number - 1, number * 2, number / 2, 0 - number, number + 2};
  value = static_cast<std::int64_t>(changed[below(random, std::size(changed))]);
}

/// The name of a random member; empty if there is none.
std::string some_member(const json& object, std::minstd_rand& random) {
  if (object.empty()) return "";
  auto member = object.begin();
  std::advance(member, below(random, object.size()));
  return member.key();
}

void remove_part(json& parent, std::minstd_rand& random) {
  if (parent.empty()) return;
  if (parent.is_object()) return static_cast<void>(parent.erase(some_member(parent, random)));
  parent.erase(below(random, parent.size()));
}

void add_part(json& parent, std::minstd_rand& random) {
  if (parent.is_object()) {
    parent[some_word(random)] = some_value(random);
  } else {
    parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(below(random, parent.size() + 1)),
                  some_value(random));
  }
}

void rename_part(json& parent, std::minstd_rand& random) {
  if (!parent.is_object() || parent.empty()) return;
  const std::string name = some_member(parent, random);
  json value = parent[name];
  parent.erase(name);
  std::string renamed = some_word(random);
  if (below(random, 3) == 0) renamed = name + "x";
  parent[renamed] = std::move(value);
}

/// Doubles a list or object.
void repeat_parts(json& parent) {
  if (parent.size() > kMostParts / 2) return;
  const json copy = parent;
  for (const auto& [name, value] : copy.items()) {
    if (parent.is_array()) parent.push_back(value);
    if (parent.is_object()) parent[name + "'"] = value;
  }
}

json nested(json value, std::size_t levels) {
  for (std::size_t i = 0; i < levels; ++i) {
    json outer = i % 2 == 0 ? json::array() : json::object();
    i % 2 == 0 ? outer.push_back(std::move(value)) : void(outer["a"] = std::move(value));
    value = std::move(outer);
  }
  return value;
}

}  // namespace

void mutate(json& value, std::minstd_rand& random) {
  std::vector<Part> parts;
  collect(value, nullptr, parts);
  Part part = one_of(random, parts);
  // Rather members of a long list, such as a vocabulary, than the list itself, but not always.
  json& parent = part.value->is_structured() ? *part.value : part.parent != nullptr ? *part.parent : value;
  switch (below(random, 12)) {
    case 0:
    case 1:
    case 2:
      return static_cast<void>(*part.value = some_value(random));
    case 3:
    case 4:
      return change_number(*part.value, random);
    case 5:
      if (parent.is_structured()) remove_part(parent, random);
      return;
    case 6:
      if (parent.is_structured()) add_part(parent, random);
      return;
    case 7:
      return rename_part(parent, random);
    case 8: {
      const json other = *one_of(random, parts).value;
      *part.value = other;
      return;
    }
    case 9: {
      json& other = *one_of(random, parts).value;
      const json copy = other;
      const json mine = *part.value;
      // One may contain the other: what contains it is set first.
      other = mine;
      std::vector<Part> again;
      collect(value, nullptr, again);
      *one_of(random, again).value = copy;
      return;
    }
    case 10:
      if (parent.is_structured()) repeat_parts(parent);
      return;
    default:
      *part.value = nested(*part.value, below(random, 4) == 0 ? 40 : 1 + below(random, 3));
  }
}

const std::string& some_word(std::minstd_rand& random) {
  static const std::vector<std::string> words{
      // Hugging Face
      "model_type", "architectures", "marian", "bart", "mbart", "m2m_100", "bert", "roberta", "xlm-roberta",
      "gpt2", "t5", "mt5", "d_model", "encoder_layers", "decoder_layers", "encoder_attention_heads",
      "decoder_attention_heads", "encoder_ffn_dim", "decoder_ffn_dim", "max_position_embeddings",
      "vocab_size", "decoder_vocab_size", "decoder_start_token_id", "eos_token_id", "pad_token_id",
      "bos_token_id", "scale_embedding", "tie_word_embeddings", "share_encoder_decoder_embeddings",
      "normalize_before", "add_final_layer_norm", "normalize_embedding", "static_position_embeddings",
      "activation_function", "hidden_act", "hidden_size", "intermediate_size", "num_hidden_layers",
      "num_attention_heads", "type_vocab_size", "layer_norm_eps", "id2label", "position_embedding_type",
      "is_decoder", "n_embd", "n_layer", "n_head", "n_positions", "n_ctx", "n_inner", "layer_norm_epsilon",
      "scale_attn_weights", "d_kv", "d_ff", "num_heads", "num_layers", "num_decoder_layers",
      "feed_forward_proj", "extra_ids", "relative_attention_num_buckets", "relative_attention_max_distance",
      "forced_bos_token_id", "forced_eos_token_id", "num_beams", "length_penalty", "early_stopping",
      "no_repeat_ngram_size", "max_length", "min_length", "max_new_tokens", "suppress_tokens",
      "bad_words_ids", "unk_token", "bos_token", "eos_token", "sep_token", "cls_token", "pad_token",
      "mask_token", "additional_special_tokens", "added_tokens_decoder", "content", "lstrip", "do_lower_case",
      "clean_up_tokenization_spaces", "src_lang", "tgt_lang", "format", "weight_map", "gated-gelu",
      "gated-silu", "relu", "gelu", "gelu_new", "swish", "BertForMaskedLM", "BertForTokenClassification",
      "RobertaModel",
      // Marian
      "type", "transformer", "lm-transformer", "s2s", "amun", "nematus", "dim-emb", "dim-rnn", "dim-vocabs",
      "enc-depth", "dec-depth", "enc-cell", "dec-cell", "enc-type", "enc-cell-depth", "dec-cell-base-depth",
      "dec-cell-high-depth", "gru", "gru-nematus", "lstm", "ssru", "bidirectional", "alternating",
      "bi-unidirectional", "skip", "layer-normalization", "tied-embeddings", "tied-embeddings-src",
      "tied-embeddings-all", "output-omit-bias", "transformer-heads", "transformer-dim-ffn",
      "transformer-decoder-dim-ffn", "transformer-ffn-depth", "transformer-decoder-ffn-depth",
      "transformer-ffn-activation", "transformer-preprocess", "transformer-postprocess",
      "transformer-postprocess-top", "transformer-postprocess-emb", "transformer-tied-layers",
      "transformer-no-projection", "transformer-decoder-autoreg", "self-attention", "average-attention",
      "rnn", "transformer-dim-aan", "transformer-aan-depth", "transformer-aan-activation",
      "transformer-aan-nogate", "transformer-disable-position-embeddings", "models", "vocabs", "beam-size",
      "normalize", "d", "a", "n", "r", "dan", "dar", "nnr", "danr", "h",
      // CTranslate2 and fairseq
      "decoder_start_token", "add_source_bos", "add_source_eos", "decoder_only", "args", "cfg", "model",
      "encoder_embed_dim", "decoder_embed_dim", "encoder_ffn_embed_dim", "decoder_ffn_embed_dim",
      "encoder_learned_pos", "decoder_learned_pos", "encoder_normalize_before", "decoder_normalize_before",
      "max_source_positions", "max_target_positions", "no_scale_embedding", "share_all_embeddings",
      "share_decoder_input_output_embed", "layernorm_embedding", "activation_fn", "source_lang",
      "target_lang",
      // pieces
      "<s>", "</s>", "<unk>", "<pad>", "<mask>", "[CLS]", "[SEP]", "[PAD]", "[MASK]", "[UNK]",
      "<|endoftext|>", "<extra_id_0>", "<unused14>", "<unused15>", "<unused11>", "<unused9>", ">>deu<<",
      "__de__", "de_DE", "\u2581", "\u2581the", "the", "cat", "##s", "\u0120", "\u0120a", "a", "ab", "0", "7",
      "UNK", "eos", "LABEL_0", ""};
  return one_of(random, words);
}

}  // namespace gloss
