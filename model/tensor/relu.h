// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/dtype.h"

namespace gloss {

/// Replaces negative numbers by 0, on the calling thread. NaN stays NaN.
void relu(DType type, void* numbers, std::int64_t count);

}  // namespace gloss
