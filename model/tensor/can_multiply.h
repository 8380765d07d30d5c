// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/kernels/dtype.h"

namespace gloss {

/// True if oneDNN multiplies this type with the instruction set in use; int8 only if the sums are exact and
/// the product is faster than in f32. Never int4, of which weights are widened first.
bool can_multiply(DType);

}  // namespace gloss
