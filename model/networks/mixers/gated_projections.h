// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/linear.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The linear layers around a convolution: a gated linear unit before it (Dauphin et al. 2017) and a linear
/// layer after it. Parameters NAME.input and NAME.output. The factor of the initial input applies to both
/// halves of the unit, so that kernels made of its result start flatter.
class GatedProjections {
 public:
  GatedProjections(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : input_(parameters, name + ".input", place.sizes.width, 2 * place.sizes.width,
               scaled(xavier_uniform(place.sizes.width, place.sizes.width), place.scales.initial.inner),
               place.settings.linear_bias),
        output_(parameters, name + ".output", place.sizes.width, place.sizes.width,
                scaled(xavier_uniform(place.sizes.width, place.sizes.width), place.scales.initial.outer),
                place.settings.linear_bias) {}
  /// [T, width] to [T, width].
  Tensor gated_input(const Tensor& x) const { return gate(input_(x), Activation::sigmoid, {}); }
  Tensor output(const Tensor& x) const { return output_(x); }

 private:
  Linear input_, output_;
};

}  // namespace gloss
