// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/gated_convolution_mixer.h"

#include "model/layers/linear.h"
#include "model/networks/mixers/convolved_rows.h"
#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

class GatedConvolutionMixer : public Mixer {
 public:
  GatedConvolutionMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : taps_(taps_of(place)),
        kernel_(parameters, name + ".kernel", taps_.count * place.sizes.width, 2 * place.sizes.width,
                scaled(xavier_uniform(taps_.count * place.sizes.width, place.sizes.width),
                       place.scales.initial.outer),
                place.settings.linear_bias) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor read = convolved(around.before(x, dropout), view, 0, [&](const Tensor& y, const auto& rows) {
      return neighbouring_rows(y, rows, taps_);
    });
    return gate(kernel_(read), Activation::sigmoid, {});
  }

 private:
  ConvolutionTaps taps_;
  Linear kernel_;
};

std::shared_ptr<const Mixer> make_gated_convolution(Parameters& parameters, const std::string& name,
                                                    const MixerLayer& place) {
  return std::make_shared<GatedConvolutionMixer>(parameters, name, place);
}

MixerHistory history_of_gated_convolution(const MixerLayer& place) {
  return {.columns = place.sizes.width, .reach = reach_of(taps_of(place))};
}

}  // namespace

MixerKind gated_convolution_mixer() {
  return {.name = "gated-convolution",
          .part = "gated_convolution",
          .make = make_gated_convolution,
          .check = check_taps,
          .in_encoders = true,
          .history = history_of_gated_convolution,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {3}};
}

}  // namespace gloss
