// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/networks/batch.h"
#include "model/tensor/tensor.h"

namespace gloss {

// R-Drop (Liang et al. 2021): a network sees every row of a batch twice, with different dropout, and the loss
// also has the divergence between the two predictions of each token.

/// The batch with all rows once more at its end, each with half its weight.
Batch twice(const Batch&);

/// The rows of a loss in which the two predictions of a target token follow each other.
struct PairedTargets {
  Tensor hidden;
  std::vector<TokenId> targets;
  std::vector<float> weights;
  SoftTargets soft;
};
/// `hidden` are the last hidden states of the target tokens of a batch made by `twice`, and padding.
PairedTargets paired_targets(const Tensor& hidden, const Batch&);

}  // namespace gloss
