// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/dynamic_mixer.h"

#include "model/networks/mixers/convolved_rows.h"
#include "model/networks/mixers/gated_projections.h"
#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

class DynamicMixer : public Mixer {
 public:
  DynamicMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : heads_(place.sizes.heads),
        taps_(taps_of(place)),
        projections_(parameters, name, place),
        kernel_(parameters, name + ".kernel", place.sizes.width, place.sizes.heads * taps_.count,
                xavier_uniform(place.sizes.width, place.sizes.heads * taps_.count), false) {}

  Tensor operator()(const Tensor& input, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor y = projections_.gated_input(around.before(input, dropout));
    const Tensor kernels = grouped_softmax(kernel_(y), taps_.count, dropout.attention());
    return projections_.output(convolved(y, view, heads_, [&](const Tensor& x, const auto& rows) {
      return dynamic_convolution(x, kernels, rows, taps_);
    }));
  }

 private:
  int heads_;
  ConvolutionTaps taps_;
  GatedProjections projections_;
  Linear kernel_;
};

std::shared_ptr<const Mixer> make_dynamic(Parameters& parameters, const std::string& name,
                                          const MixerLayer& place) {
  return std::make_shared<DynamicMixer>(parameters, name, place);
}

MixerHistory history_of_dynamic(const MixerLayer& place) {
  return {.columns = place.sizes.width, .reach = reach_of(taps_of(place))};
}

}  // namespace

MixerKind dynamic_mixer() {
  return {.name = "dynamic",
          .part = "dynamic_convolution",
          .make = make_dynamic,
          .check = check_heads_of_kernels,
          .in_encoders = true,
          .history = history_of_dynamic,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {3, 7, 15, 31}};
}

}  // namespace gloss
