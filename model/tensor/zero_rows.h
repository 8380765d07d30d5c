// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstring>

#include "base/index.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// Sets rows first .. last - 1 to zeros.
inline void fill_rows_with_zeros(const Tensor& tensor, std::int64_t first, std::int64_t last) {
  if (first >= last) return;
  std::memset(tensor.raw_row(first), 0, index((last - first) * tensor.columns()) * size_of(tensor.dtype()));
}

}  // namespace gloss
