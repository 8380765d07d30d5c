// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/networks/mixers/transformer_settings.h"
#include "network_variants.h"

namespace gloss {

/// Collects variants of the small network.
class VariantList {
 public:
  /// Adds a variant that `change(settings, own)` makes.
  template <class Change>
  void add(const std::string& name, const Change& change) {
    NetworkSettings s = small_settings();
    change(s, s.own<TransformerSettings>());
    all_.push_back({name, s});
  }
  /// Adds the same and its decoder alone, a language model.
  template <class Change>
  void add_both(const std::string& name, const Change& change) {
    add(name, change);
    NetworkSettings s = all_.back().settings;
    s.sizes.encoder_layers = 0;
    s.own<TransformerSettings>().encoder_layer_weights = {};
    all_.push_back({"language_model_" + name, s});
  }
  void add_settings(const std::string& name, const NetworkSettings& s) { all_.push_back({name, s}); }

  std::vector<Variant> take() { return std::move(all_); }

 private:
  std::vector<Variant> all_;
};

/// Adds the variants with each mixer but attention.
void add_mixer_variants(VariantList&);

}  // namespace gloss
