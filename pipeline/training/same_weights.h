// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>

#include "base/ranks.h"

namespace gloss {

/// Throws Error, on all ranks, if a rank's weights after `update` differ from those of rank 0.
void expect_same_weights(Ranks&, std::span<const float> weights, std::int64_t update);

}  // namespace gloss
