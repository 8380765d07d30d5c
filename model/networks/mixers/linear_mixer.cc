// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/linear_mixer.h"

#include <cmath>

#include "base/error.h"
#include "base/rounding.h"
#include "model/layers/linear.h"
#include "model/networks/mixers/mixer.h"
#include "model/tensor/ops_linear_attention.h"

namespace gloss {
namespace {

/// Random directions [features, head width], orthogonal in groups of the head width, with the lengths of
/// normally distributed vectors.
Tensor features_of(const MixerLayer& place) {
  const std::int64_t count = place.settings.linear.features, d = place.sizes.width / place.sizes.heads;
  Random random(static_cast<std::uint64_t>(place.layer) + 1);
  const Tensor groups = Tensor::uninitialised({round_up(count, d), d});
  orthogonal_matrices(d)(groups.values(), random);
  const Tensor features = Tensor::uninitialised({count, d});
  for (std::int64_t i = 0; i < count; ++i) {
    double square = 0;
    for (std::int64_t c = 0; c < d; ++c) square += std::pow(random.normal(), 2);
    const auto length = static_cast<float>(std::sqrt(square));
    for (std::int64_t c = 0; c < d; ++c) features.data()[i * d + c] = groups.data()[i * d + c] * length;
  }
  return features;
}

class LinearMixer : public Mixer {
 public:
  LinearMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : causal_(place.causal),
        heads_(place.sizes.heads),
        query_key_value_(parameters, name + ".query_key_value", place.sizes.width, 3 * place.sizes.width,
                         xavier_uniform(place.sizes.width, 3 * place.sizes.width),
                         place.settings.linear_bias),
        output_(parameters, name + ".output", place.sizes.width, place.sizes.width,
                scaled(xavier_uniform(place.sizes.width, place.sizes.width), place.scales.initial.outer),
                place.settings.linear_bias),
        features_(features_of(place)) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor projections = query_key_value_(around.before(x, dropout));
    if (view.weights != nullptr) {
      SelfAttentionView alone = view;
      alone.projected = nullptr;
      visit_row_weights(view.weights, *view.spans, {projections, heads_, projections.columns() / 3 / heads_},
                        [&](const Tensor& rows) { return attend(rows, alone); });
    }
    return output_(attend(projections, view));
  }

 private:
  Tensor attend(const Tensor& projections, const SelfAttentionView& view) const {
    if (!causal_) return linear_attention(projections, features_, *view.spans, heads_);
    if (view.spans != nullptr)
      return causal_linear_attention(projections, features_, *view.spans, heads_, view.projected);
    const std::int64_t state = linear_state_size(features_, heads_);
    return continue_linear_attention(projections, features_,
                                     view.history->extend_sums(*view.past, view.before, state), heads_);
  }

  bool causal_;
  int heads_;
  Linear query_key_value_, output_;
  Tensor features_;
};

std::shared_ptr<const Mixer> make_linear(Parameters& parameters, const std::string& name,
                                         const MixerLayer& place) {
  return std::make_shared<LinearMixer>(parameters, name, place);
}

void check_linear(const MixerLayer& place) {
  constexpr std::int64_t kMostNumbers = 1 << 16;  // they are computed before weights are checked
  expect_heads_divide(place.sizes.width, place.sizes.heads);
  const std::int64_t head_width = place.sizes.width / place.sizes.heads;
  const std::int64_t numbers =
      round_up(std::int64_t{place.settings.linear.features}, head_width) * head_width;
  if (numbers <= kMostNumbers) return;
  throw UsageError(concat("random_features ", place.settings.linear.features, " for heads of width ",
                          head_width, " are ", numbers, " numbers, more than ", kMostNumbers,
                          "; choose fewer features or more heads"));
}

/// The state after the row before.
MixerHistory history_of_linear(const MixerLayer& place) {
  return {
      .columns = linear_state_size(features_of(place), place.sizes.heads), .reach = 2, .of_sentences = true};
}

}  // namespace

Fields fields_of(LinearAttentionSettings& s) {
  return {{"random_features",
           &s.features,
           "number of random features of each head of linear attention: more approximate attention better",
           {1, 4096}}};
}

MixerKind linear_mixer() {
  return {.name = "linear",
          .part = "linear_attention",
          .make = make_linear,
          .check = check_linear,
          .in_encoders = true,
          .history = history_of_linear,
          .weighs = true,
          .has_heads = true,
          .settings = {"random_features"}};
}

}  // namespace gloss
