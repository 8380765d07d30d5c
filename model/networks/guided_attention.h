// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "model/networks/network.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Attention of target tokens to source tokens in training. Each span has the target tokens that are its
/// queries and the source tokens that are its keys; the weights of its heads follow each other, query by
/// query.
struct TargetAttention {
  Tensor weights;
  std::vector<AttentionSpan> spans;
  int heads = 1;
};

/// True if the attention to the links of the batch is a part of the loss.
bool guides_attention(const Batch&, const Regularization*);

/// [1]: the cross-entropy between the links of a batch, which share each target token's attention evenly, and
/// the attention of the first head (guided alignment, Chen et al. 2016). Summed over the target tokens that
/// have links, times `weight` and their loss weights. The parts have each target token at most once.
Tensor alignment_loss(std::span<const TargetAttention> parts, const Batch&, double weight);

/// [1]: the sum over source positions of (1 - all attention that they get from their target)², so that all of
/// the source is looked at (doubly stochastic attention, Xu et al. 2015), the mean over the heads, times
/// `weight` and the loss weight of the row. The positions of row r are from `starts`[r] to `starts`[r + 1].
Tensor even_attention_loss(std::span<const TargetAttention> parts, const std::vector<int>& starts,
                           const Batch&, double weight);

}  // namespace gloss
