// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/shown.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"

namespace gloss {
namespace {

NetworkSettings read_gpt2_network(const ForeignConfig& config) {
  if (!config.flag("scale_attn_weights", true)) config.refuse("scale_attn_weights", "true");
  if (config.flag("scale_attn_by_inverse_layer_idx", false))
    config.refuse("scale_attn_by_inverse_layer_idx", "false");
  if (config.flag("add_cross_attention", false)) config.refuse("add_cross_attention", "false");
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = 0;
  sizes.decoder_layers = config.required_integer("n_layer", 1, 1000);
  sizes.width = config.required_integer("n_embd", 2, 1 << 16);
  sizes.heads = config.required_integer("n_head", 1);
  sizes.max_positions = config.integer("n_positions", config.integer("n_ctx", 1024, 2), 2);
  const bool tied = config.flag("tie_word_embeddings", true);
  sizes.tied_embeddings = tied ? TiedEmbeddings::all : TiedEmbeddings::none;
  sizes.scale_embeddings = false;
  settings.source_vocabulary = settings.target_vocabulary = config.required_integer("vocab_size", 1);
  auto& own = settings.own<TransformerSettings>();
  own.feed_forward_width = config.integer("n_inner", 4 * sizes.width, 2);
  own.norm = NormPlacement::pre;
  own.norm_epsilon = config.number("layer_norm_epsilon", 1e-5, 1e-12, 1);
  own.activation = activation_of(config, "activation_function", "gelu_new");
  own.positions = Positions::learned;
  return settings;
}

}  // namespace

ParameterMap gpt2_parameters(const NetworkSettings& network) {
  const std::string words = "transformer.wte.weight", output = "lm_head.weight";
  ParameterMap map;
  const TiedEmbeddings tied = network.sizes.tied_embeddings;
  map.take(tied == TiedEmbeddings::all ? "embedding.weight" : "target_embedding.weight", {words});
  if (tied == TiedEmbeddings::none) {
    map.take("output.weight", {output});
  } else {
    map.copies(words, {output});
  }
  map.take("decoder.positions", {"transformer.wpe.weight"});
  map.take_linear("decoder.norm", {"transformer.ln_f"});
  for (int layer = 0; layer < network.sizes.decoder_layers; ++layer) {
    const std::string own = concat("decoder.", layer), foreign = concat("transformer.h.", layer);
    map.take_linear(own + ".self_attention.norm", {foreign + ".ln_1"});
    map.take_linear(own + ".self_attention.query_key_value", {foreign + ".attn.c_attn"}, true);
    map.take_linear(own + ".self_attention.output", {foreign + ".attn.c_proj"}, true);
    map.take_linear(own + ".feed_forward.norm", {foreign + ".ln_2"});
    map.take_linear(own + ".feed_forward.inner", {foreign + ".mlp.c_fc"}, true);
    map.take_linear(own + ".feed_forward.outer", {foreign + ".mlp.c_proj"}, true);
  }
  return map;
}

namespace {

/// Settings of the search, without those that count the prompt or that `gloss generate` has no default for.
HuggingFaceGeneration read_continuation(const HuggingFaceFiles& files, const NetworkSettings& network) {
  const ForeignConfig& config = files.generation;
  HuggingFaceGeneration generation = read_generation(files, network);
  generation.search.erase("max_length");
  generation.search.erase("min_length");
  constexpr int kLongest = 1'000'000;
  if (const int least = config.integer("min_new_tokens", 0, 0, kLongest); least > 0)
    generation.search["min_length"] = least;
  // The default of transformers, where gloss adds up log-probabilities.
  if (generation.search.contains("beam_size")) generation.search.emplace("length_penalty", 1);
  const auto note = [&](const std::string& name, const std::string& instead) {
    generation.notes.push_back(concat(config.path(), ": ", shown(name), " is ", config.at(name).dump(),
                                      ", which gloss does not follow", instead));
  };
  if (config.integer("max_length", 20, 0, kLongest) != 20) note("max_length", "; use --max-tokens");
  if (config.has("max_new_tokens")) note("max_new_tokens", "; use --max-tokens");
  if (config.integer("min_length", 0, 0, kLongest) != 0) note("min_length", "; use --min-length");
  if (generation.forced_begin >= 0) note("forced_bos_token_id", "");
  if (config.integer("bos_token_id", network.end_token) != network.end_token)
    note("bos_token_id", concat(": empty prompts start with the end token, ", network.end_token));
  return generation;
}

}  // namespace

ForeignModel read_hugging_face_gpt2(const HuggingFaceFiles& files) {
  NetworkSettings network = read_gpt2_network(files.config);
  const std::string sentence_pieces = "tokenizer.model";
  const bool has_pieces = path_exists(files.file(sentence_pieces));
  SpecialTokens specials = read_special_tokens(files);
  specials.set_default("unk_token", "<|endoftext|>");
  specials.set_default("eos_token", "<|endoftext|>");
  VocabularyOfDirectory pieces(files, specials);
  has_pieces ? pieces.take_pieces(sentence_pieces) : pieces.take_json("vocab.json");
  pieces.complete(network.target_vocabulary);
  network.end_token = files.config.has("eos_token_id") ? files.config.required_integer("eos_token_id")
                                                       : pieces.id(specials.name("eos_token", ""));
  network.begin_token = network.end_token;
  ForeignVocabulary vocabulary =
      pieces.vocabulary(network.end_token, network.end_token, specials.name("unk_token", ""));
  const HuggingFaceGeneration generation = read_continuation(files, network);
  vocabulary.never_generated = generation.banned;
  vocabulary.never_probable = generation.renormalizes;
  const auto subwords = has_pieces ? sentence_piece_tokenizer(files, vocabulary, sentence_pieces)
                                   : byte_pair_tokenizer(files, vocabulary);
  TextFormat format;
  format.bare_start = !specials.adds_begin;
  format.search = generation.search;
  WeightReaders weights(
      files.weights, gpt2_parameters(network),
      {.optional_prefix = "transformer.", .ignored_ends = {".attn.bias", ".attn.masked_bias"}});
  return {"a GPT-2 model", network, {subwords, subwords}, std::move(weights), format, generation.notes};
}

}  // namespace gloss
