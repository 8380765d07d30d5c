// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/fixed_pattern.h"

#include <algorithm>

#include "base/rounding.h"

namespace gloss {

BlockLayout FixedPattern::layout(std::int64_t, std::int64_t rows, int) const {
  BlockLayout layout;
  layout.block = block_;
  layout.starts = {0};
  const std::int64_t blocks = ceil_div(rows, block_);
  for (std::int64_t own = 0; own < blocks; ++own) {
    for (std::int64_t seen = 0; seen < (causal_ ? own + 1 : blocks); ++seen) {
      const std::int64_t first = seen * block_ + (seen == own ? 0 : block_ - summary_);
      if (first < rows) layout.add(first, std::min(rows, (seen + 1) * block_));
    }
    layout.end_block();
  }
  return layout;
}

}  // namespace gloss
