// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of local attention.
struct LocalSettings {
  int window = 128;  ///< the largest distance to a visible row
};
Fields fields_of(LocalSettings&);

/// Self-attention to the rows within a window (Beltagy et al. 2020), whose time is proportional to the window
/// times the length. See SelfAttention for its parameters.
MixerKind local_mixer();

}  // namespace gloss
