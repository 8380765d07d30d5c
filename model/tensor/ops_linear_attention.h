// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor/ops.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// Linear attention (Katharopoulos et al. 2020) with positive random features, which approximate those of
/// softmax (Performer, Choromanski et al. 2021): [T, width] from projections [T, 3 width], queries, then
/// keys, then values. Every row of a span sees all rows of the span; rows outside all spans give zeros.
/// features [feature_count, width / heads], f32: the random directions, without a gradient. Time and memory
/// grow with the number of rows.
Tensor linear_attention(const Tensor& projections, const Tensor& features, std::vector<AttentionSpan> spans,
                        int heads);

/// The same, and every row sees only itself and earlier rows of its span: a running state, updated after each
/// block of rows. `states`, if not null, receives the state after the last row of each span: [spans,
/// linear_state_size].
Tensor causal_linear_attention(const Tensor& projections, const Tensor& features,
                               std::vector<AttentionSpan> spans, int heads, Tensor* states = nullptr);
/// The number of floats in the state of all heads.
std::int64_t linear_state_size(const Tensor& features, int heads);
/// As `causal_linear_attention`, one row of each sentence, without gradient: row r continues a state and
/// stores its own. Rows beyond the list give zeros.
Tensor continue_linear_attention(const Tensor& projections, const Tensor& features,
                                 std::span<const SumRow> rows, int heads);

}  // namespace gloss
