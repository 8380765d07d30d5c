// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/networks/mixers/block.h"
#include "model/networks/mixers/convolution_module.h"
#include "model/networks/mixers/feed_forward.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The Conformer (Gulati et al. 2020): half a feed-forward layer, self-attention, a convolution module and
/// half a feed-forward layer, each added to its normalised input, then a norm. Norms come before branches
/// whatever the settings of other layers. Parameters NAME.first_feed_forward, NAME.self_attention,
/// NAME.convolution, NAME.feed_forward and NAME.norm.
class ConformerBlock : public Block {
 public:
  ConformerBlock(Parameters&, const std::string& name, const MixerLayer&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const SourceView&,
                    const TransformerDropout&) const override;

 private:
  Residual around_first_, around_attention_, around_convolution_, around_second_;
  FeedForward first_;
  std::shared_ptr<const Mixer> attention_;
  ConvolutionModule convolution_;
  FeedForward second_;
  Norm norm_;
};

/// Its row in the table of mixers.
MixerKind conformer_mixer();

}  // namespace gloss
