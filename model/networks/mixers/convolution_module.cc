// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/convolution_module.h"

#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {

ConvolutionModule::ConvolutionModule(Parameters& parameters, const std::string& name, const MixerLayer& place)
    : taps_(taps_of(place)),
      projections_(parameters, name, place),
      kernel_(parameters.declare(name + ".kernel.weight", {taps_.count, place.sizes.width},
                                 xavier_uniform(taps_.count, taps_.count))),  // keeps the variance
      norm_(parameters, name + ".kernel_norm", place.sizes.width, place.settings.norms()) {}

Tensor ConvolutionModule::operator()(const Tensor& x, const SelfAttentionView& view) const {
  const Tensor y = depthwise_convolution(projections_.gated_input(x), kernel_, *view.spans, taps_);
  return projections_.output(activate(norm_(y), Activation::swish, {}));
}

}  // namespace gloss
