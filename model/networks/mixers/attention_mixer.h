// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Multi-head self-attention of every row to every row it may see (Vaswani et al. 2017). See SelfAttention
/// for its parameters.
MixerKind attention_mixer();
/// The same with these sizes, such as a window.
std::shared_ptr<const Mixer> make_self_attention(Parameters&, const std::string& name, const MixerLayer&,
                                                 const AttentionSizes&);
/// The history of decoders with attention to all rows.
MixerHistory history_of_attention(const MixerLayer&);

}  // namespace gloss
