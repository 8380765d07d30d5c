// SPDX-License-Identifier: Apache-2.0

#include "network_variants.h"

#include <utility>

namespace gloss {

std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

NetworkSettings small_settings() {
  NetworkSettings s;
  s.sizes.encoder_layers = 2;
  s.sizes.decoder_layers = 3;
  s.sizes.width = 32;
  s.own<TransformerSettings>().feed_forward_width = 48;
  s.sizes.heads = 4;
  s.sizes.max_positions = 40;
  s.source_vocabulary = s.target_vocabulary = 57;
  return s;
}

NetworkSettings small_recurrent_settings() {
  NetworkSettings s = small_settings();
  s.architecture = "recurrent";
  apply_default_sizes(s);
  s.sizes.width = 24;
  s.own<RecurrentSettings>().embedding_width = 20;
  return s;
}

NetworkSettings small_memory_settings() {
  NetworkSettings s = small_settings();
  s.architecture = "memory";
  apply_default_sizes(s);
  s.sizes.width = 20;
  s.own<MemorySettings>().memories = 6;
  s.own<MemorySettings>().empty_memories = 0;
  s.classifier.classes = 3;
  return s;
}

NetworkSettings small_language_model_settings() {
  NetworkSettings s = small_settings();
  s.sizes.encoder_layers = 0;
  s.own<TransformerSettings>().norm = NormPlacement::pre;
  s.own<TransformerSettings>().activation = Activation::gelu;
  s.own<TransformerSettings>().positions = Positions::learned;
  return s;
}

NetworkSettings small_recurrent_language_model_settings() {
  NetworkSettings s = small_recurrent_settings();
  s.sizes.encoder_layers = 0;
  s.own<RecurrentSettings>().attention = AttentionScore::none;
  return s;
}

std::vector<Variant> turing_variants() {
  NetworkSettings one = small_settings();
  one.architecture = "turing";
  apply_default_sizes(one);
  one.sizes.width = 20;
  one.own<TuringSettings>().memory_rows = 12;
  one.own<TuringSettings>().memory_width = 6;
  NetworkSettings several = one;
  several.sizes.heads = 2;
  several.sizes.tied_embeddings = TiedEmbeddings::none;
  several.source_vocabulary = 31;
  several.own<TuringSettings>().shift_reach = 2;
  return {{"turing", one}, {"turing_several_heads", several}};
}

std::vector<Variant> variants() {
  std::vector<Variant> all = transformer_variants();
  for (Variant& variant : recurrent_variants()) all.push_back(std::move(variant));
  for (Variant& variant : turing_variants()) all.push_back(std::move(variant));
  return all;
}

bool looks(const NetworkSettings& s) {
  if (s.architecture == "turing") return false;
  if (s.architecture == "recurrent") return s.own<RecurrentSettings>().attention != AttentionScore::none;
  return form_of(s) == Form::encoder_decoder;
}

}  // namespace gloss
