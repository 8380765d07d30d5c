// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/average_mixer.h"

#include "model/layers/running_state.h"

namespace gloss {
namespace {

class AverageMixer : public Mixer {
 public:
  AverageMixer(Parameters& parameters, const std::string& name, const MixerPlace& place)
      : average_(parameters, name, average_attention_sizes(place.sizes, place.settings)) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor mean = around.before(AverageAttention::mean(x, view), dropout);  // normalises the means
    return average_.finish(x, mean, dropout.activation());
  }

 private:
  AverageAttention average_;
};

std::shared_ptr<const Mixer> make_average(Parameters& parameters, const std::string& name,
                                          const MixerPlace& place) {
  return std::make_shared<AverageMixer>(parameters, name, place);
}

MixerMemory memory_of_average(const MixerPlace& place) { return {.columns = place.sizes.width}; }

}  // namespace

MixerKind average_mixer() {
  return {.name = "average",
          .part = "average_attention",
          .make = make_average,
          .memory = memory_of_average,
          .settings = {"average_width", "average_depth", "average_activation", "average_gate"}};
}

}  // namespace gloss
