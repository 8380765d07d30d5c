// SPDX-License-Identifier: Apache-2.0

#include "model/layers/running_state.h"

#include "base/error.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

Tensor sums_of(const Tensor& x, const Tensor& kept, const SelfAttentionView& view) {
  if (view.spans != nullptr) return running_sums(x, kept, *view.spans, view.projected);
  return continue_sums(x, kept, view.history->extend_sums(*view.past, view.before, x.columns()));
}

/// logistic(gate(x)) * x.
Tensor gated(const Linear& gate_of, const Tensor& x) {
  return gate(join_columns(std::vector<Tensor>{gate_of(x), x}), Activation::sigmoid, {});
}

}  // namespace

Ssru::Ssru(Parameters& parameters, const std::string& name, int width)
    : candidate_(parameters, name + ".candidate", width, width, xavier_uniform(width, width), false),
      forget_(parameters, name + ".forget", width, width, xavier_uniform(width, width)) {}

Tensor Ssru::operator()(const Tensor& x, const SelfAttentionView& view) const {
  const Tensor kept = activate(forget_(x), Activation::sigmoid, {});
  return activate(sums_of(candidate_(x), kept, view), Activation::relu, {});
}

AverageAttention::AverageAttention(Parameters& parameters, const std::string& name,
                                   const AverageAttentionSizes& sizes)
    : sizes_(sizes) {
  int from = sizes.width;
  const auto layer = [&](const std::string& part, int to) {
    return Linear(parameters, name + part, from, to, xavier_uniform(from, to));
  };
  for (int i = 0; i < sizes.depth; ++i) {
    inner_.push_back(layer(concat(".inner.", i), sizes.inner_width));
    from = sizes.inner_width;
  }
  if (from != sizes.width) outer_ = layer(".outer", sizes.width);
  from = sizes.width;
  if (!sizes.gate) return;
  input_gate_ = layer(".input_gate", sizes.width);
  forget_gate_ = layer(".forget_gate", sizes.width);
}

Tensor AverageAttention::mean(const Tensor& x, const SelfAttentionView& view) { return sums_of(x, {}, view); }

Tensor AverageAttention::finish(const Tensor& x, const Tensor& mean, const DropoutMask& activation) const {
  Tensor y = mean;
  for (const Linear& inner : inner_) y = activate(inner(y), sizes_.activation, activation);
  if (outer_) y = (*outer_)(y);
  if (!sizes_.gate) return y;
  return add_dropout(gated(*input_gate_, x), gated(*forget_gate_, y), {});
}

}  // namespace gloss
