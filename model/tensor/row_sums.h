#pragma once

#include <algorithm>
#include <cstdint>

#include "base/rounding.h"
#include "model/tensor/kernels.h"
#include "model/tensor/tensor.h"
#include "model/tensor/threads.h"

namespace gloss {

/// [width]: sums over rows, made by blocks of a fixed size on the operation's threads and added in order, so
/// that they do not depend on threads. `add_block(first row, rows, sums)` adds those of a block.
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
