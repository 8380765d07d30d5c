// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/attention.h"
#include "model/networks/feed_forward.h"
#include "model/networks/residual.h"
#include "model/networks/self_branch.h"

namespace gloss {

/// Self-attention or, in a decoder, what replaces it, and a feed-forward layer, each with a residual
/// connection.
struct SelfAttentionBlock {
  SelfBranch self;
  Residual around_feed_forward;
  FeedForward feed_forward;
  SelfAttentionBlock(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&,
                     bool causal, const LayerScales&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const TransformerDropout&) const;
};

}  // namespace gloss
