// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/paths.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"
#include "pipeline/foreign/hugging_face/t5_parameters.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

constexpr int kMostHeads = 1 << 16;

/// The function of feed-forward layers, such as "relu" or "gated-gelu".
void read_feed_forward(const ForeignConfig& config, TransformerSettings& own) {
  // With a gate, gelu is the approximation by tanh.
  static const std::map<std::string, std::pair<Activation, bool>> kinds{
      {"relu", {Activation::relu, false}},          {"gelu", {Activation::gelu_exact, false}},
      {"gelu_new", {Activation::gelu, false}},      {"silu", {Activation::swish, false}},
      {"gated-relu", {Activation::relu, true}},     {"gated-gelu", {Activation::gelu, true}},
      {"gated-gelu_new", {Activation::gelu, true}}, {"gated-silu", {Activation::swish, true}}};
  const std::string name = "feed_forward_proj";
  const auto found = kinds.find(config.text(name, "relu"));
  if (found == kinds.end())
    config.refuse(name, "relu, gelu, gelu_new or silu, or one of these after 'gated-'");
  own.activation = found->second.first;
  own.gated_feed_forward = found->second.second;
  // Newer files have these, too; they override the name.
  if (config.has("dense_act_fn")) own.activation = activation_of(config, "dense_act_fn", "relu");
  own.gated_feed_forward = config.flag("is_gated_act", own.gated_feed_forward);
}

NetworkSettings read_t5_network(const ForeignConfig& config) {
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = config.required_integer("num_layers", 1, 1000);
  sizes.decoder_layers = config.integer("num_decoder_layers", sizes.encoder_layers, 1, 1000);
  sizes.width = config.required_integer("d_model", 2, kMostHeads);
  sizes.heads = config.required_integer("num_heads", 1, kMostHeads);
  const int positions = config.integer("n_positions", kForeignT5Positions, 2);
  sizes.max_positions = positions == kForeignT5Positions ? kUnlimitedPositions : positions;
  sizes.tied_embeddings =
      config.flag("tie_word_embeddings", true) ? TiedEmbeddings::all : TiedEmbeddings::inputs;
  sizes.scale_embeddings = false;
  settings.source_vocabulary = settings.target_vocabulary = config.required_integer("vocab_size", 3);
  settings.begin_token = config.integer("decoder_start_token_id", config.integer("pad_token_id", 0));
  settings.end_token = config.integer("eos_token_id", 1);
  auto& own = settings.own<TransformerSettings>();
  read_feed_forward(config, own);
  own.feed_forward_width = config.required_integer("d_ff", 2);
  const int head_width = config.integer("d_kv", 64, 1, kMostHeads);
  if (std::int64_t{head_width} * sizes.heads != sizes.width) own.head_width = head_width;
  own.attention_scale = AttentionScale::none;
  own.norm = NormPlacement::pre;
  own.norm_type = NormType::rms;
  own.norm_epsilon = config.number("layer_norm_epsilon", 1e-6, 1e-12, 1);
  own.linear_bias = false;
  own.positions = Positions::buckets;
  own.relative_buckets = config.integer("relative_attention_num_buckets", 32, 4, 1024);
  own.relative_reach = config.integer("relative_attention_max_distance", 128, 3, 1 << 20);
  return settings;
}

/// What tokenizer_config.json says about T5's tokenizer only.
struct TokenizerSettings {
  int extra_ids = 100;  ///< number of tokens <extra_id_0> and so on, which follow the pieces of the model
  bool legacy = true;   ///< a space precedes text right after a special token
};

TokenizerSettings read_tokenizer_settings(const HuggingFaceFiles& files) {
  TokenizerSettings settings;
  const std::string path = files.file("tokenizer_config.json");
  if (!path_exists(path)) return settings;
  const ForeignConfig config(path, read_json(path));
  settings.extra_ids = config.integer("extra_ids", settings.extra_ids, 0, 1 << 20);
  settings.legacy = config.flag("legacy", settings.legacy);
  return settings;
}

std::shared_ptr<const Subwords> read_tokenizer(const HuggingFaceFiles& files, const NetworkSettings& network,
                                               const HuggingFaceGeneration& generation) {
  const std::string model = "spiece.model";
  SpecialTokens specials = read_special_tokens(files);
  specials.set_default("unk_token", "<unk>");
  specials.set_default("pad_token", "<pad>");
  VocabularyOfDirectory pieces(files, specials);
  pieces.take_pieces(model);
  const int size = network.source_vocabulary;
  const TokenizerSettings settings = read_tokenizer_settings(files);
  const int extra =
      std::min(settings.extra_ids, std::max(0, size - static_cast<int>(pieces.pieces().size())));
  std::vector<std::string> tokens;
  for (int i = extra - 1; i >= 0; --i) tokens.push_back(concat("<extra_id_", i, ">"));
  pieces.append(tokens);
  pieces.complete(size);
  ForeignVocabulary vocabulary =
      pieces.vocabulary(network.begin_token, network.end_token, specials.name("unk_token", ""));
  vocabulary.never_generated = generation.banned;
  vocabulary.never_probable = generation.renormalizes;
  if (!files.tokenizer) vocabulary.continues_specials = !settings.legacy;
  return sentence_piece_tokenizer(files, vocabulary, model);
}

}  // namespace

ForeignModel read_hugging_face_t5(const HuggingFaceFiles& files) {
  const NetworkSettings network = read_t5_network(files.config);
  const HuggingFaceGeneration generation = read_generation(files, network);
  const auto subwords = read_tokenizer(files, network, generation);
  TextFormat format;
  format.search = generation.search;
  if (generation.forced_begin >= 0) format.target_prefix = {generation.forced_begin};
  WeightReaders weights(files.weights, t5_parameters(network), {.older_ends = older_norm_names()});
  return {"a T5 model", network, {subwords, subwords}, std::move(weights), format, generation.notes};
}

}  // namespace gloss
