// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/networks/mixers/transformer_dropout.h"

namespace gloss {

/// Two linear layers with an activation in between, or with the product of an activated gate and the inner
/// part; deeper ones have further activated layers. Parameters NAME.inner, NAME.middle.N and NAME.outer.
class FeedForward {
 public:
  FeedForward(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&,
              const InitialScales& = {});
  Tensor operator()(const Tensor& x, const TransformerDropout&) const;

 private:
  Tensor activated(const Linear&, const Tensor& x, const DropoutMask&) const;

  Activation activation_;
  bool gated_;
  Linear inner_;  // with a gate: its outputs, then those of the inner part
  std::vector<Linear> middle_;
  Linear outer_;
};

}  // namespace gloss
