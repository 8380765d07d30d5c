// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/listener.h"
#include "base/worker_threads.h"
#include "pipeline/examples/plain_encoding.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// How well a language model predicts a text.
struct TextFigures {
  std::int64_t lines = 0;       ///< number of lines that are not blank
  std::int64_t tokens = 0;      ///< number of tokens, including the end tokens of lines
  std::int64_t characters = 0;  ///< number of characters, plus one for the end of each line
  double cross_entropy = 0;     ///< nats per token
  double bits_per_character = 0;
  double perplexity() const;
};
Fields fields_of(TextFigures&);

/// The settings by which the training of the model in this directory split text into blocks; settings missing
/// from its config.json have their defaults. Throws InputError if a setting is invalid.
PlainTextSettings plain_text_settings_of(const std::string& directory);

/// Computes the figures that a training would report if it validated on this text, split into the same
/// blocks. `model` is a language model that was read with Weights::copied. Compressed text is unpacked into
/// `folder`.
TextFigures evaluate_text(const TextModel& model, const std::string& path, const PlainTextSettings&,
                          const std::string& folder, WorkerThreads&, Listener&);

}  // namespace gloss
