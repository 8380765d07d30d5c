// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/conv_mixer_block.h"

#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

std::shared_ptr<const Block> make_conv_mixer(Parameters& parameters, const std::string& name,
                                             const MixerLayer& place) {
  return std::make_shared<ConvMixerBlock>(parameters, name, place);
}

Tensor declare_kernel(Parameters& parameters, const std::string& name, std::int64_t taps,
                      std::int64_t width) {
  return parameters.declare(name + ".convolution.kernel.weight", {taps, width},
                            xavier_uniform(taps, taps));  // keeps the variance
}

}  // namespace

ConvMixerBlock::ConvMixerBlock(Parameters& parameters, const std::string& name, const MixerLayer& place)
    : taps_(taps_of(place)),
      columns_(place.columns),
      activation_(place.settings.activation),
      kernel_(declare_kernel(parameters, name, taps_.count * (columns_ > 0 ? taps_.count : 1),
                             place.sizes.width)),
      convolution_norm_(parameters, name + ".convolution.norm", place.sizes.width, place.settings.norms()),
      pointwise_(parameters, name + ".pointwise", place.sizes.width, place.sizes.width,
                 xavier_uniform(place.sizes.width, place.sizes.width), place.settings.linear_bias),
      norm_(parameters, name + ".norm", place.sizes.width, place.settings.norms()) {}

Tensor ConvMixerBlock::operator()(const Tensor& x, const SelfAttentionView& view, const SourceView&,
                                  const TransformerDropout& dropout) const {
  const Tensor near = columns_ > 0 ? grid_convolution(x, kernel_, *view.spans, taps_, columns_)
                                   : depthwise_convolution(x, kernel_, *view.spans, taps_);
  const Tensor y = add_dropout(x, convolution_norm_(activate(near, activation_, {})), dropout.residual());
  return norm_(activate(pointwise_(y), activation_, dropout.activation()));
}

MixerKind conv_mixer() {
  return {.name = "conv-mixer",
          .make_block = make_conv_mixer,
          .check = check_taps,
          .in_encoders = true,
          .feeds_forward = false,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {9}};
}

}  // namespace gloss
