// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Learns a vocabulary of `size` pieces from a few sentences.
inline Subwords small_vocabulary(int size, bool byte_fallback = false) {
  Listener silent;
  SubwordSettings settings;
  settings.size = size;
  settings.byte_fallback = byte_fallback;
  int line = 0;
  const auto next = [&](std::string& text) {
    text = "the small dog sees a big house and walks home number " + std::to_string(line);
    return line++ < 100;
  };
  return learn_subwords(next, settings, 1, silent);
}

/// Writes a model with random weights and the given tokenizers into a directory.
inline void write_random_model(const std::string& directory, const NetworkSettings& settings,
                               const Subwords& source, const Subwords& target, std::uint64_t seed) {
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(seed);
  parameters.initialise(random);
  write_model(directory, settings, parameters, {{"text", text_settings({Normalization::nfkc})}},
              tokenizer_files(source, target));
}

/// A small transformer with `positions` positions for the vocabularies `source` and `target`.
inline NetworkSettings small_network(const Subwords& source, const Subwords& target, int positions = 60) {
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = sizes.decoder_layers = 1;
  sizes.width = 32;
  settings.own<TransformerSettings>().feed_forward_width = 64;
  sizes.heads = 2;
  sizes.tied_embeddings = TiedEmbeddings::target;
  sizes.max_positions = positions;
  settings.source_vocabulary = source.size();
  settings.target_vocabulary = target.size();
  return settings;
}

/// Writes a translation model with random weights.
inline void write_untrained_model(const std::string& directory, const Subwords& source,
                                  const Subwords& target, std::uint64_t seed = 3, int positions = 60) {
  write_random_model(directory, small_network(source, target, positions), source, target, seed);
}

/// Writes a language model with random weights.
inline void write_untrained_language_model(const std::string& directory, const Subwords& subwords,
                                           std::uint64_t seed = 3) {
  NetworkSettings settings = small_network(subwords, subwords);
  settings.sizes.encoder_layers = 0;
  settings.own<TransformerSettings>().norm = NormPlacement::pre;
  settings.begin_token = settings.end_token = subwords.end_id();
  write_random_model(directory, settings, subwords, subwords, seed);
}

}  // namespace gloss
