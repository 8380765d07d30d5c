// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/kernels/dtype.h"

namespace gloss {

/// True if this type is multiplied with the instruction set in use: f32 and int8 always, bf16 if oneDNN can.
/// Never int4, of which weights are widened first.
bool can_multiply(DType);

}  // namespace gloss
