// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/layers/attention.h"
#include "model/networks/mixers/feed_forward.h"
#include "model/networks/mixers/residual.h"
#include "model/networks/transformer/self_branch.h"

namespace gloss {

/// Self-attention or what replaces it, attention to the encoder output, unless the decoder reads the source
/// in another way, and a feed-forward layer, each with a residual connection.
struct DecoderBlock {
  struct Cross {
    Residual around;
    CrossAttention attention;
    Cross(Parameters&, const std::string& name, const MixerPlace&);
  };
  SelfBranch self;
  std::optional<Cross> cross;
  Residual around_feed_forward;
  FeedForward feed_forward;
  DecoderBlock(Parameters&, const std::string& name, const MixerPlace&);
};

}  // namespace gloss
