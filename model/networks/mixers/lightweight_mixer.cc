// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/lightweight_mixer.h"

#include "model/networks/mixers/convolved_rows.h"
#include "model/networks/mixers/gated_projections.h"
#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

class LightweightMixer : public Mixer {
 public:
  LightweightMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : width_(place.sizes.width),
        heads_(place.sizes.heads),
        taps_(taps_of(place)),
        projections_(parameters, name, place),
        kernel_(parameters.declare(name + ".kernel.weight", {place.sizes.heads, taps_.count},
                                   xavier_uniform(taps_.count, place.sizes.heads * taps_.count))) {}

  Tensor operator()(const Tensor& input, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor y = projections_.gated_input(around.before(input, dropout));
    const Tensor kernel = channel_weights(grouped_softmax(kernel_, taps_.count, dropout.attention()), width_);
    return projections_.output(convolved(y, view, heads_, [&](const Tensor& x, const auto& rows) {
      return depthwise_convolution(x, kernel, rows, taps_);
    }));
  }

 private:
  std::int64_t width_;
  int heads_;
  ConvolutionTaps taps_;
  GatedProjections projections_;
  Tensor kernel_;
};

std::shared_ptr<const Mixer> make_lightweight(Parameters& parameters, const std::string& name,
                                              const MixerLayer& place) {
  return std::make_shared<LightweightMixer>(parameters, name, place);
}

MixerHistory history_of_lightweight(const MixerLayer& place) {
  return {.columns = place.sizes.width, .reach = reach_of(taps_of(place))};
}

}  // namespace

MixerKind lightweight_mixer() {
  return {.name = "lightweight",
          .part = "lightweight_convolution",
          .make = make_lightweight,
          .check = check_heads_of_kernels,
          .in_encoders = true,
          .history = history_of_lightweight,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {3, 7, 15, 31}};
}

}  // namespace gloss
