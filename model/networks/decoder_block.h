// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/attention.h"
#include "model/networks/feed_forward.h"
#include "model/networks/residual.h"

namespace gloss {

/// Self-attention, attention to the encoder output and a feed-forward layer, each with a residual connection.
struct DecoderBlock {
  Residual around_attention;
  SelfAttention self_attention;
  Residual around_cross_attention;
  CrossAttention cross_attention;
  Residual around_feed_forward;
  FeedForward feed_forward;
  DecoderBlock(Parameters&, const std::string& name, const NetworkSizes&, const TransformerSettings&);
};

}  // namespace gloss
