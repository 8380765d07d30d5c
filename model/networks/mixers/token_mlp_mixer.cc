// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/token_mlp_mixer.h"

#include "base/error.h"
#include "model/layers/linear.h"
#include "model/networks/mixers/mixer.h"
#include "model/tensor/ops_token_windows.h"

namespace gloss {
namespace {

/// Windows of every second layer are shifted by half a window, so that neighbouring windows meet.
WindowSizes window_sizes(const MixerLayer& place) {
  const std::int64_t size = place.settings.token_mlp.window;
  return {.size = size, .shift = place.layer % 2 == 0 ? 0 : size / 2};
}

class TokenMlpMixer : public Mixer {
 public:
  TokenMlpMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : windows_(window_sizes(place)),
        activation_(place.settings.activation),
        inner_(parameters, name + ".inner", windows_.size, place.settings.token_mlp.width,
               xavier_uniform(windows_.size, place.settings.token_mlp.width), place.settings.linear_bias),
        outer_(
            parameters, name + ".outer", place.settings.token_mlp.width, windows_.size,
            scaled(xavier_uniform(windows_.size, place.settings.token_mlp.width), place.scales.initial.outer),
            place.settings.linear_bias) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor windows = windows_of_rows(around.before(x, dropout), *view.spans, windows_);
    const Tensor inner = activate(inner_(windows), activation_, dropout.activation());
    return rows_of_windows(outer_(inner), *view.spans, windows_, x.rows());
  }

 private:
  WindowSizes windows_;
  Activation activation_;
  Linear inner_, outer_;
};

std::shared_ptr<const Mixer> make_token_mlp(Parameters& parameters, const std::string& name,
                                            const MixerLayer& place) {
  return std::make_shared<TokenMlpMixer>(parameters, name, place);
}

void check_token_mlp(const MixerLayer& place) {
  const int window = place.settings.token_mlp.window, positions = place.sizes.max_positions;
  if (window <= positions) return;
  throw UsageError(concat("token_window ", window, " is larger than every text of at most max_positions ",
                          positions, "; choose a smaller window"));
}

}  // namespace

Fields fields_of(TokenMlpSettings& s) {
  return {{"token_window", &s.window, "number of tokens in a window of token-mlp", {2, 4096}},
          {"token_mlp_width",
           &s.width,
           "inner width of the feed-forward layer over the tokens of a window in token-mlp",
           {2, 1 << 16}}};
}

MixerKind token_mlp_mixer() {
  return {.name = "token-mlp",
          .part = "token_mlp",
          .make = make_token_mlp,
          .check = check_token_mlp,
          .in_encoders = true,
          .settings = {"token_window", "token_mlp_width"}};
}

}  // namespace gloss
