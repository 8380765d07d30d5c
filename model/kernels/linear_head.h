// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// Operands of linear attention (Katharopoulos et al. 2020) with positive random features (Performer,
// Choromanski et al. 2021). Kernels compute one head of one sentence at a time.

namespace gloss {

/// One head of linear attention over a sentence: row i of the result is the mean of all values, weighted by
/// f(q_i) . f(k_j). Element r of f(x) is exp(w_r . x - |x|^2 / 2), with x times `scale`, relative to the
/// largest of all r (for a query) or of all r and j (for keys), plus `smallest_feature`, so that no sum of
/// weights is 0. In causal attention, a row sees only itself and earlier rows, so features of keys are
/// relative to exp(key_top).
template <class Number>
struct LinearHead {
  const Number* queries;  ///< [count, head_width]
  const Number* keys;     ///< [count, head_width]
  const Number* values;   ///< [count, head_width]
  std::int64_t stride;    ///< elements from one row to the next, of all three
  std::int64_t count, head_width;
  const float* features;  ///< [feature_count, head_width]: w
  std::int64_t feature_count;
  float scale;  ///< multiplies queries and keys
  float smallest_feature = 1e-6f;
  float key_top = 0;  ///< only causal
};

/// Further inputs of the gradient of a LinearHead, and its results. The largest exponents count as constants.
template <class Number>
struct LinearHeadGradient {
  const Number* result;           ///< [count, head_width] of the forward pass
  const float* weight_sums;       ///< [count] of the forward pass, only causal
  const Number* result_gradient;  ///< [count, head_width]
  std::int64_t result_stride;     ///< of both
  Number* queries;                ///< gradients, with the stride of the operands
  Number* keys;
  Number* values;
  bool accumulate;  ///< adds to the gradients instead of writing them
};

/// The state of a causal head after some rows: the sums of f(k) v^T and of f(k), `linear_state` floats. Row r
/// continues the state before[r] (null: no rows) and writes its own to after[r], both from element `first`.
struct LinearSteps {
  const float* const* before;
  float* const* after;
  std::int64_t first;
};

}  // namespace gloss
