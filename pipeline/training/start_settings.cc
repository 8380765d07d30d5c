// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/start_settings.h"

#include "base/error.h"
#include "base/paths.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/training/starting_models.h"

namespace gloss {
namespace {

/// The number of layers of the side that no model provides; 0: not given.
int chosen_layers(const StartSettings& start, const NetworkSizes& sizes, const Given& given) {
  if (!start.model.empty()) return 0;
  if (start.from_decoder.empty() && given(&sizes.decoder_layers)) return sizes.decoder_layers;
  if (start.from_encoder.empty() && given(&sizes.encoder_layers)) return sizes.encoder_layers;
  return 0;
}

/// Throws UsageError unless the given value is that of the models.
void expect_same(const Field& chosen, const Field& own, const StartingModels& models) {
  if (same_value(chosen, own)) return;
  throw UsageError(concat("--", option_name(chosen.name), " is ", field_text(chosen), ", but ",
                          field_text(own), " in ", models.text(),
                          ", and fine-tuning cannot change it; leave out the option"));
}

/// Copies the settings that the user may choose to the models' own network.
void take_chosen(NetworkSettings& chosen, const Given& given, const StartingModels& models,
                 NetworkSettings& own) {
  const Fields from = fields_of(chosen), to = fields_of(own);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!given(address_of(from[i]))) continue;
    // In the order of the fields: mixers come before the settings that depend on them.
    refuse_unused(own, [&](const std::string& name) { return name == from[i].name; });
    const bool free = refers_to(from[i], chosen.sizes.max_positions) && !keeps_positions(own);
    if (free || from[i].has(kTrainingOnly)) copy_value(from[i], to[i]);
    expect_same(from[i], to[i], models);
  }
}

}  // namespace

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

std::shared_ptr<const StartingModels> open_starting_models(const StartSettings& start, Form form,
                                                           NetworkSettings& network,
                                                           TokenizerSettings& tokenizers, const Given& given,
                                                           Listener& listener) {
  auto models = std::make_shared<const StartingModels>(start, listener);
  NetworkSettings own = models->network(form, chosen_layers(start, network.sizes, given));
  take_chosen(network, given, *models, own);
  TokenizerSettings own_text = tokenizers;
  own_text.normalization = models->format().normalization;
  if (given(&tokenizers.normalization)) {
    Fields chosen = fields_of(tokenizers), there = fields_of(own_text);
    expect_same(field_of(chosen, tokenizers.normalization), field_of(there, own_text.normalization), *models);
  }
  network = own;
  tokenizers = own_text;
  return models;
}

}  // namespace gloss
