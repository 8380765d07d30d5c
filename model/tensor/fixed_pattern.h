// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/tensor/attention_pattern.h"

namespace gloss {

/// The fixed pattern of the Sparse Transformer (Child et al. 2019): a row sees the rows of its own block and
/// the last `summary` rows of each other block; if causal, only of blocks before its own.
class FixedPattern : public AttentionPattern {
 public:
  /// `block`: rows of a block, more than `summary`.
  FixedPattern(std::int64_t block, std::int64_t summary, bool causal)
      : block_(block), summary_(summary), causal_(causal) {}
  BlockLayout layout(std::int64_t span, std::int64_t rows, int head) const override;

 private:
  std::int64_t block_, summary_;
  bool causal_;
};

}  // namespace gloss
