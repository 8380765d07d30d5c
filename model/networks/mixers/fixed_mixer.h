// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of fixed attention, besides the attention_block.
struct FixedSettings {
  int summary_tokens = 8;  ///< last rows of each block that other blocks see
};
Fields fields_of(FixedSettings&);

/// Self-attention to the rows of the own block and to the last rows of other blocks (Child et al. 2019). See
/// SelfAttention for its parameters.
MixerKind fixed_mixer();

}  // namespace gloss
