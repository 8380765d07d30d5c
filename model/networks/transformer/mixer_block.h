// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/layers/attention.h"
#include "model/networks/mixers/block.h"
#include "model/networks/mixers/feed_forward.h"
#include "model/networks/mixers/mixer.h"
#include "model/networks/mixers/residual.h"

namespace gloss {

/// The mixer that the settings choose for a layer, attention to the source if the place has one, and a
/// feed-forward layer, each with a residual connection. Parameters NAME.PART..., with the part of the mixer's
/// row in the table, NAME.cross_attention... and NAME.feed_forward....
class MixerBlock : public Block {
 public:
  MixerBlock(Parameters&, const std::string& name, const MixerLayer&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const SourceView&,
                    const TransformerDropout&) const override;
  Tensor project_source(const Tensor& states) const override;

 private:
  /// A mixer with its residual connection.
  struct Mixed {
    Residual around;
    std::shared_ptr<const Mixer> mixer;
    Mixed(Parameters&, const std::string& name, const MixerLayer&, const MixerKind&);
  };
  /// Attention to the source with its residual connection.
  struct Cross {
    Residual around;
    CrossAttention attention;
    Cross(Parameters&, const std::string& name, const MixerLayer&);
  };

  Mixed self_;
  std::optional<Cross> cross_;
  Residual around_feed_forward_;
  FeedForward feed_forward_;
};

/// The block of a layer: a MixerBlock, unless the mixer in the settings has a block of its own.
std::shared_ptr<const Block> make_block(Parameters&, const std::string& name, const MixerLayer&);

}  // namespace gloss
