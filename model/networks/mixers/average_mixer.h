// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "model/kernels/activation.h"

namespace gloss {

struct MixerKind;

/// Settings of average attention.
struct AverageSettings {
  int width = 2048;  ///< inner width of the feed-forward layer
  int depth = 1;     ///< its activated layers
  Activation activation = Activation::swish;
  bool gate = true;
};
Fields fields_of(AverageSettings&);

/// Average attention (Zhang et al. 2018). See AverageAttention for its parameters.
MixerKind average_mixer();

}  // namespace gloss
