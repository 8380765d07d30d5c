// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "model/networks/network_settings.h"
#include "pipeline/examples/tokenizer_pair.h"

namespace gloss {

class StartingModels;

/// Trained models that a training starts from; without any, random initialisation.
struct StartSettings {
  std::string model{};                     ///< model to take all parts from
  std::string from_encoder{};              ///< model to take the encoder from
  std::string from_decoder{};              ///< model to take the decoder from
  std::vector<std::string> add_symbols{};  ///< to the vocabulary
  bool any() const { return !model.empty() || !from_encoder.empty() || !from_decoder.empty(); }
};
Fields fields_of(StartSettings&);
/// Throws UsageError if no model is given, or both a whole model and parts of others.
void check(const StartSettings&);

/// Throws UsageError if the output directory contains one of the models: starting over would remove it.
void expect_apart(const std::string& output, const StartSettings&);

/// Opens the starting models of a training and copies their network and text normalisation to its settings.
/// The user may choose only those network settings that affect nothing but training, and the number of layers
/// of a side that no model provides. Throws UsageError if the models cannot form a network of this form, or
/// if another setting that was `given` contradicts them.
std::shared_ptr<const StartingModels> open_starting_models(const StartSettings&, Form, NetworkSettings&,
                                                           TokenizerSettings&, const Given& given, Listener&);

}  // namespace gloss
