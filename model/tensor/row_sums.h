// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>

#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// [width]: sums over rows, computed in blocks of a fixed size on the operation's threads and added in order,
/// so that the result does not depend on the number of threads. `add_block(first row, rows, sums)` adds the
/// sums of a block.
template <class Block>
Tensor sums_over_rows(std::int64_t rows, std::int64_t width, Block add_block) {
  constexpr std::int64_t kBlock = 256;
  const std::int64_t blocks = ceil_div(rows, kBlock);
  const Tensor parts = Tensor::zeros({blocks, width});
  parallel_ranges(blocks, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      add_block(b * kBlock, std::min(kBlock, rows - b * kBlock), parts.data() + b * width);
    }
  });
  Tensor sums = Tensor::zeros({width});
  for (std::int64_t b = 0; b < blocks; ++b) kernels().f32.add(sums.data(), parts.data() + b * width, width);
  return sums;
}

}  // namespace gloss
