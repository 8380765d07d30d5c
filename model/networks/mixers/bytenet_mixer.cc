// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/bytenet_mixer.h"

#include "model/layers/linear.h"
#include "model/layers/norm.h"
#include "model/networks/mixers/convolved_rows.h"
#include "model/networks/mixers/kernel_widths.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

std::int64_t inner_width(const MixerLayer& place) { return (place.sizes.width + 1) / 2; }

class BytenetMixer : public Mixer {
 public:
  BytenetMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : taps_(taps_of(place)),
        activation_(place.settings.activation),
        reduce_(parameters, name + ".reduce", place.sizes.width, inner_width(place),
                xavier_uniform(place.sizes.width, inner_width(place)), place.settings.linear_bias),
        kernel_norm_(parameters, name + ".kernel_norm", inner_width(place), place.settings.norms()),
        kernel_(parameters, name + ".kernel", taps_.count * inner_width(place), inner_width(place),
                xavier_uniform(taps_.count * inner_width(place), inner_width(place)),
                place.settings.linear_bias),
        expand_norm_(parameters, name + ".expand_norm", inner_width(place), place.settings.norms()),
        expand_(parameters, name + ".expand", inner_width(place), place.sizes.width,
                scaled(xavier_uniform(inner_width(place), place.sizes.width), place.scales.initial.outer),
                place.settings.linear_bias) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const auto active = [&](const Tensor& y) { return activate(y, activation_, {}); };
    const Tensor reduced = active(kernel_norm_(reduce_(active(around.before(x, dropout)))));
    const Tensor read = convolved(reduced, view, 0, [&](const Tensor& y, const auto& rows) {
      return neighbouring_rows(y, rows, taps_);
    });
    return expand_(active(expand_norm_(kernel_(read))));
  }

 private:
  ConvolutionTaps taps_;
  Activation activation_;
  Linear reduce_;
  Norm kernel_norm_;
  Linear kernel_;
  Norm expand_norm_;
  Linear expand_;
};

std::shared_ptr<const Mixer> make_bytenet(Parameters& parameters, const std::string& name,
                                          const MixerLayer& place) {
  return std::make_shared<BytenetMixer>(parameters, name, place);
}

MixerHistory history_of_bytenet(const MixerLayer& place) {
  return {.columns = inner_width(place), .reach = reach_of(taps_of(place))};
}

}  // namespace

MixerKind bytenet_mixer() {
  return {.name = "bytenet",
          .part = "bytenet_convolution",
          .make = make_bytenet,
          .check = check_taps,
          .in_encoders = true,
          .history = history_of_bytenet,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {3}};
}

}  // namespace gloss
