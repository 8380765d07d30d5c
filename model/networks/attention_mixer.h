// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixer.h"

namespace gloss {

/// Multi-head self-attention of every row to every row it may see (Vaswani et al. 2017). See SelfAttention
/// for its parameters.
MixerKind attention_mixer();
/// The same, to rows that are at most `window` rows away; 0: to all.
std::shared_ptr<const Mixer> make_attention_of_window(Parameters&, const std::string& name, const MixerPlace&,
                                                      int window);
/// The same, to the rows that a pattern of sparse attention shows.
std::shared_ptr<const Mixer> make_attention_of_pattern(Parameters&, const std::string& name,
                                                       const MixerPlace&,
                                                       std::shared_ptr<const AttentionPattern>);

}  // namespace gloss
