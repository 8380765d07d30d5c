// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/start_settings.h"

#include "base/error.h"
#include "base/paths.h"
#include "pipeline/foreign/readable_model.h"

namespace gloss {

Fields fields_of(StartSettings& settings) {
  return {{"model",
           &settings.model,
           "model to fine-tune: its directory, or a training directory for its best model",
           {},
           'm',
           "DIR",
           kModelDirectory},
          {"from_encoder",
           &settings.from_encoder,
           "model to take the encoder from; random initialisation of the rest",
           {},
           0,
           "DIR",
           kModelDirectory},
          {"from_decoder",
           &settings.from_decoder,
           "model to take the decoder from, without its attention to the source",
           {},
           0,
           "DIR",
           kModelDirectory},
          {"add_symbols",
           &settings.add_symbols,
           "symbols to add to the vocabulary; each starts with the mean embedding of its former pieces",
           {},
           0,
           "SYMBOL"}};
}

void check(const StartSettings& settings) {
  const bool parts = !settings.from_encoder.empty() || !settings.from_decoder.empty();
  if (!settings.model.empty() && parts) {
    throw UsageError(
        "--model loads all parts of a model and excludes --from-encoder and --from-decoder; leave one out");
  }
  if (!settings.any()) {
    throw UsageError(
        "no model to fine-tune: give --model DIR, or its parts with --from-encoder DIR and --from-decoder "
        "DIR");
  }
}

void expect_apart(const std::string& output, const StartSettings& start) {
  for (const std::string& from : {start.model, start.from_encoder, start.from_decoder}) {
    if (from.empty() || !lies_in(model_named(from), output)) continue;
    throw UsageError(
        concat("--output ", output, " contains the starting model ", from, "; choose another directory"));
  }
}

}  // namespace gloss
