// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of strided attention.
struct StridedSettings {
  int stride = 32;  ///< distances to visible rows are multiples of it
};
Fields fields_of(StridedSettings&);

/// Self-attention to rows at distances that are multiples of the stride of the settings (Child et al. 2019).
/// See SelfAttention for its parameters.
MixerKind strided_mixer();

}  // namespace gloss
