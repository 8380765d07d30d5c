// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/attention.h"
#include "model/networks/feed_forward.h"
#include "model/networks/residual.h"

namespace gloss {

/// Self-attention and a feed-forward layer, each with a residual connection.
struct SelfAttentionBlock {
  Residual around_attention;
  SelfAttention self_attention;
  Residual around_feed_forward;
  FeedForward feed_forward;
  SelfAttentionBlock(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&,
                     double output_scale = 1);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, bool causal, const TransformerDropout&) const;
};

}  // namespace gloss
