// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The first branch of a block with its residual connection: the mixer that the settings choose for the
/// layer. Parameters BLOCK.PART..., with the part of the mixer's row in the table.
class SelfBranch {
 public:
  SelfBranch(Parameters&, const std::string& block, const MixerPlace&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const TransformerDropout&) const;

 private:
  SelfBranch(Parameters&, const MixerPlace&, const MixerKind&, const std::string& block);

  Residual around_;
  std::shared_ptr<const Mixer> mixer_;
};

}  // namespace gloss
