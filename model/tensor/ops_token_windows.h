// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

/// Windows of a fixed number of rows that follow one another in a sentence. Row t of a sentence is at place
/// (t + shift) % size of its window (t + shift) / size.
struct WindowSizes {
  std::int64_t size;
  std::int64_t shift = 0;  ///< less than `size`
};

/// The windows of all spans, transposed: from x [T, width] to [windows * width, size]. Each row has the
/// numbers of one channel of a window, and zeros at places without a row.
Tensor windows_of_rows(const Tensor& x, std::vector<AttentionSpan> spans, const WindowSizes&);
/// The inverse: [rows, width] from [windows * width, size]. Rows outside all spans are zeros.
Tensor rows_of_windows(const Tensor& windows, std::vector<AttentionSpan> spans, const WindowSizes&,
                       std::int64_t rows);

}  // namespace gloss
