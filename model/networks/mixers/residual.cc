// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/residual.h"

namespace gloss {

Residual::Residual(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                   const TransformerSettings& settings, double input_scale)
    : placement_(settings.norm), input_scale_(static_cast<float>(input_scale)) {
  if (placement_ != NormPlacement::steps) {
    norm_.emplace(parameters, name + ".norm", sizes.width, settings.norms());
    return;
  }
  const double epsilon = settings.norm_epsilon;
  before_.emplace(parameters, name + ".before", settings.steps_before, sizes.width, epsilon);
  after_.emplace(parameters, name + ".after", settings.steps_after, sizes.width, epsilon);
}

Tensor Residual::before(const Tensor& x, const TransformerDropout& dropout) const {
  if (placement_ == NormPlacement::pre) return (*norm_)(x);
  return before_ ? (*before_)(x, {}, dropout.residual()) : x;
}

Tensor Residual::after(const Tensor& x, const Tensor& branch, const DropoutMask& mask) const {
  if (after_) return (*after_)(branch, x, mask);
  if (placement_ == NormPlacement::pre) return add_dropout(x, branch, mask);
  return norm_->of_sum(input_scale_ == 1 ? x : multiplied(x, input_scale_), branch, mask);
}

StackEnd::StackEnd(Parameters& parameters, const std::string& side, const NetworkSizes& sizes,
                   const TransformerSettings& settings) {
  if (settings.norm == NormPlacement::pre)
    norm_.emplace(parameters, side + ".norm", sizes.width, settings.norms());
  if (settings.norm == NormPlacement::steps)
    steps_.emplace(parameters, side + ".top", settings.steps_top, sizes.width, settings.norm_epsilon);
}

Tensor StackEnd::operator()(const Tensor& x, const Tensor& input, const TransformerDropout& dropout) const {
  if (steps_) return (*steps_)(x, input, dropout.residual());
  return norm_ ? (*norm_)(x) : x;
}

}  // namespace gloss
