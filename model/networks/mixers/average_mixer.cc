// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/average_mixer.h"

#include "model/layers/running_state.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {
namespace {

class AverageMixer : public Mixer {
 public:
  AverageMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : average_(parameters, name,
                 {.width = place.sizes.width,
                  .inner_width = place.settings.average.width,
                  .depth = place.settings.average.depth,
                  .activation = place.settings.average.activation,
                  .gate = place.settings.average.gate}) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor mean = around.before(AverageAttention::mean(x, view), dropout);  // normalises the means
    return average_.finish(x, mean, dropout.activation());
  }

 private:
  AverageAttention average_;
};

std::shared_ptr<const Mixer> make_average(Parameters& parameters, const std::string& name,
                                          const MixerLayer& place) {
  return std::make_shared<AverageMixer>(parameters, name, place);
}

MixerHistory history_of_average(const MixerLayer& place) { return {.columns = place.sizes.width}; }

}  // namespace

Fields fields_of(AverageSettings& s) {
  constexpr double kWidest = 1 << 18;
  return {
      {"average_width", &s.width, "inner width of the feed-forward layer in average attention", {2, kWidest}},
      {"average_depth",
       &s.depth,
       "number of activated layers in average attention; a linear one follows if the width differs",
       {0, 16}},
      {"average_activation", activation_choice(s.activation), "activation function in average attention"},
      {"average_gate", &s.gate, "gate the input and the result of average attention"}};
}

MixerKind average_mixer() {
  return {.name = "average",
          .part = "average_attention",
          .make = make_average,
          .history = history_of_average,
          .settings = {"average_width", "average_depth", "average_activation", "average_gate"}};
}

}  // namespace gloss
