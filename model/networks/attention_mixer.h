// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixer.h"

namespace gloss {

/// Multi-head self-attention of every row to every row it may see (Vaswani et al. 2017). See SelfAttention
/// for its parameters.
MixerKind attention_mixer();
/// The rows that sparse attention sees: at most `window` rows away (0: all), at distances that are multiples
/// of `stride`.
struct AttentionPattern {
  int window = 0;
  int stride = 1;
};
/// The same, to the rows of the pattern.
std::shared_ptr<const Mixer> make_sparse_attention(Parameters&, const std::string& name, const MixerPlace&,
                                                   const AttentionPattern&);
/// The memory of decoders with attention to all rows.
MixerMemory memory_of_attention(const MixerPlace&);

}  // namespace gloss
