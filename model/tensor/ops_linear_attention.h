// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

/// Linear attention (Katharopoulos et al. 2020) with positive random features, which approximate those of
/// softmax (Performer, Choromanski et al. 2021): [T, width] from projections [T, 3 width], queries, then
/// keys, then values. Every row of a span sees all rows of the span; rows outside all spans give zeros.
/// features [feature_count, width / heads], f32: the random directions, without a gradient. Time and memory
/// grow with the number of rows.
Tensor linear_attention(const Tensor& projections, const Tensor& features, std::vector<AttentionSpan> spans,
                        int heads);

}  // namespace gloss
