#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/text_model.h"

namespace gloss {

/// A vocabulary of `size` pieces learned from a few sentences.
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

/// Writes a model with random weights and these tokenizers into a directory.
inline void write_random_model(const std::string& directory, const NetworkSettings& settings,
                               const Subwords& source, const Subwords& target, std::uint64_t seed) {
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(seed);
  parameters.initialise(random);
  write_model(directory, settings, parameters, {{"text", text_settings({Normalization::nfkc})}},
              tokenizer_files(source, target));
}

/// A small transformer with so many positions for these tokenizers.
inline NetworkSettings small_network(const Subwords& source, const Subwords& target, int positions = 60) {
  NetworkSettings settings;
  TransformerSettings& sizes = settings.transformer;
  sizes.encoder_layers = sizes.decoder_layers = 1;
  sizes.width = 32;
  sizes.feed_forward_width = 64;
  sizes.heads = 2;
  sizes.tied_embeddings = TiedEmbeddings::target;
  sizes.max_positions = positions;
  settings.source_vocabulary = source.size();
  settings.target_vocabulary = target.size();
  return settings;
}

/// Writes one that translates.
inline void write_untrained_model(const std::string& directory, const Subwords& source,
                                  const Subwords& target, std::uint64_t seed = 3, int positions = 60) {
  write_random_model(directory, small_network(source, target, positions), source, target, seed);
}

/// Writes one that continues text.
inline void write_untrained_language_model(const std::string& directory, const Subwords& subwords,
                                           std::uint64_t seed = 3) {
  NetworkSettings settings = small_network(subwords, subwords);
  settings.transformer.encoder_layers = 0;
  settings.transformer.norm = NormPlacement::pre;
  settings.begin_token = settings.end_token = subwords.end_id();
  write_random_model(directory, settings, subwords, subwords, seed);
}

}  // namespace gloss
