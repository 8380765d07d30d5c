// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/networks/mixers/block.h"
#include "model/networks/mixers/feed_forward.h"
#include "model/networks/mixers/residual.h"
#include "model/networks/transformer/self_branch.h"

namespace gloss {

/// A mixer and a feed-forward layer, each with a residual connection. Parameters NAME.PART... of the mixer
/// and NAME.feed_forward....
class MixerBlock : public Block {
 public:
  MixerBlock(Parameters&, const std::string& name, const MixerPlace&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const TransformerDropout&) const override;

 private:
  SelfBranch self_;
  Residual around_feed_forward_;
  FeedForward feed_forward_;
};

/// The block of a layer: a MixerBlock, unless the mixer in the settings has a block of its own.
std::shared_ptr<const Block> make_block(Parameters&, const std::string& name, const MixerPlace&);

}  // namespace gloss
