// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

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

}  // namespace gloss
