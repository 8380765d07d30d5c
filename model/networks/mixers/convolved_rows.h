// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/attention.h"

namespace gloss {

/// The result of `convolve(x, rows)` for the rows that the view lets x see: the spans of its sentences, or
/// while decoding the KeyRows of each row, which are kept for later steps. `heads`: parts of the columns
/// whose kernels sum rows with weights of their own; 0: the convolution has no such kernels.
template <class Convolve>
Tensor convolved(const Tensor& x, const SelfAttentionView& view, int heads, Convolve convolve) {
  if (view.projected != nullptr) *view.projected = x;
  if (view.spans == nullptr)
    return convolve(x, view.history->extend(x, *view.past, view.before, x.columns()));
  if (heads > 0) {
    visit_row_weights(view.weights, *view.spans, {x, heads, x.columns() / heads},
                      [&](const Tensor& rows) { return convolve(rows, *view.spans); });
  }
  return convolve(x, *view.spans);
}

}  // namespace gloss
