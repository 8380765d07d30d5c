// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/attention.h"

namespace gloss {

/// The result of `convolve(rows)` for the rows that the view lets x see: the spans of its sentences, or while
/// decoding the KeyRows of each row, which are kept for later steps.
template <class Convolve>
Tensor convolved(const Tensor& x, const SelfAttentionView& view, Convolve convolve) {
  if (view.projected != nullptr) *view.projected = x;
  if (view.spans != nullptr) return convolve(*view.spans);
  return convolve(view.history->extend(x, *view.past, view.before, x.columns()));
}

}  // namespace gloss
