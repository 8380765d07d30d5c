// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/layers/norm.h"
#include "model/networks/mixers/transformer_dropout.h"
#include "model/networks/parts/norm_steps.h"

namespace gloss {

/// x + dropout(branch(x)) with normalisation before the branch or after the sum, in which x may have a factor
/// (`input_scale`, only there). Parameters NAME.norm. Or the steps of the settings: parameters NAME.before...
/// and NAME.after....
class Residual {
 public:
  Residual(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&,
           double input_scale = 1);
  template <class Branch>
  Tensor operator()(const Tensor& x, Branch branch, const TransformerDropout& dropout) const {
    const DropoutMask mask = dropout.residual();  // sampled before the masks of the branch
    return after(x, branch(before(x, dropout)), mask);
  }
  /// The input of the branch.
  Tensor before(const Tensor& x, const TransformerDropout&) const;
  /// x with the result of the branch.
  Tensor after(const Tensor& x, const Tensor& branch, const DropoutMask& mask) const;

 private:
  NormPlacement placement_;
  float input_scale_;
  std::optional<Norm> norm_;
  std::optional<NormSteps> before_, after_;
};

/// What follows the last layer: the normalisation of pre-norm stacks, parameters SIDE.norm, or the steps of
/// the settings, parameters SIDE.top.
class StackEnd {
 public:
  StackEnd(Parameters&, const std::string& side, const NetworkSizes&, const TransformerSettings&);
  /// `input`: of the first layer.
  Tensor operator()(const Tensor& x, const Tensor& input, const TransformerDropout&) const;

 private:
  std::optional<Norm> norm_;
  std::optional<NormSteps> steps_;
};

}  // namespace gloss
