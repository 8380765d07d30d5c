#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/translation_model.h"

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

/// Writes a small transformer with random weights, 60 positions, and these tokenizers into a directory.
inline void write_untrained_model(const std::string& directory, const Subwords& source,
                                  const Subwords& target, std::uint64_t seed = 3) {
  NetworkSettings settings;
  TransformerSettings& sizes = settings.transformer;
  sizes.encoder_layers = sizes.decoder_layers = 1;
  sizes.width = 32;
  sizes.feed_forward_width = 64;
  sizes.heads = 2;
  sizes.tied_embeddings = TiedEmbeddings::target;
  sizes.max_positions = 60;
  settings.source_vocabulary = source.size();
  settings.target_vocabulary = target.size();
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(seed);
  parameters.initialise(random);
  const nlohmann::json text = write_text_files(directory, source, target, Normalization::nfkc);
  write_model(directory, settings, parameters, {{"text", text}});
}

}  // namespace gloss
