// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/layers/attention.h"
#include "model/layers/running_state.h"
#include "model/networks/layer_scales.h"
#include "model/networks/residual.h"

namespace gloss {

/// The first branch of a block with its residual connection: self-attention or, in a decoder, what the
/// settings have in its place. Parameters NAME.self_attention, NAME.ssru or NAME.average_attention.
class SelfBranch {
 public:
  SelfBranch(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&,
             bool causal, const LayerScales& = {});
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const TransformerDropout&) const;

 private:
  bool causal_, raw_past_;
  Residual around_;
  std::optional<SelfAttention> attention_;
  std::optional<Ssru> ssru_;
  std::optional<AverageAttention> average_;
};

}  // namespace gloss
