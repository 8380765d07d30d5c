// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/open_starting_models.h"

#include "base/error.h"

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
