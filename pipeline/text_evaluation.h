#pragma once

#include <cstdint>
#include <string>

#include "base/listener.h"
#include "base/worker_threads.h"
#include "pipeline/plain_encoding.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How well a language model tells a text.
struct TextFigures {
  std::int64_t lines = 0;       ///< that are not blank
  std::int64_t tokens = 0;      ///< ends of lines included
  std::int64_t characters = 0;  ///< of the text, an end counted for each line
  double cross_entropy = 0;     ///< nats per token
  double bits_per_character = 0;
  double perplexity() const;
};
Fields fields_of(TextFigures&);

/// How text became blocks when the model in this directory was trained; as usual, if its config.json does not
/// tell. Throws InputError if what it tells cannot be.
PlainTextSettings plain_text_settings_of(const std::string& directory);

/// Gives what a training that validates on this text would report: text becomes blocks in the same way.
/// `model` is a language model that was read with Weights::copied. Packed text is unpacked into `folder`.
TextFigures evaluate_text(const TextModel& model, const std::string& path, const PlainTextSettings&,
                          const std::string& folder, WorkerThreads&, Listener&);

}  // namespace gloss
