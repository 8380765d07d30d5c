// SPDX-License-Identifier: Apache-2.0

#include "model/networks/gated_convolution_mixer.h"

#include "model/layers/linear.h"
#include "model/networks/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

class GatedConvolutionMixer : public Mixer {
 public:
  GatedConvolutionMixer(Parameters& parameters, const std::string& name, const MixerPlace& place)
      : causal_(place.causal),
        taps_(kernel_width_of(place)),
        kernel_(
            parameters, name + ".kernel", taps_ * place.sizes.width, 2 * place.sizes.width,
            scaled(xavier_uniform(taps_ * place.sizes.width, place.sizes.width), place.scales.initial.outer),
            place.settings.linear_bias) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor read =
        neighbouring_rows(around.before(x, dropout), *view.spans, convolution_taps(taps_, causal_));
    return gate(kernel_(read), Activation::sigmoid, {});
  }

 private:
  bool causal_;
  std::int64_t taps_;
  Linear kernel_;
};

std::shared_ptr<const Mixer> make_gated_convolution(Parameters& parameters, const std::string& name,
                                                    const MixerPlace& place) {
  return std::make_shared<GatedConvolutionMixer>(parameters, name, place);
}

}  // namespace

MixerKind gated_convolution_mixer() {
  return {.name = "gated-convolution",
          .part = "gated_convolution",
          .make = make_gated_convolution,
          .check = check_kernel_width,
          .in_encoders = true,
          .settings = {"kernel_widths"},
          .kernel_widths = {3}};
}

}  // namespace gloss
