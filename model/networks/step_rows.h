// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/networks/batch.h"
#include "model/networks/parts/network_sizes.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// Embeddings of tokens, optionally scaled, after dropout.
Tensor embed_tokens(const Tensor& table, std::span<const TokenId> tokens, const NetworkSizes&,
                    const DropoutMask&, const std::vector<int>& numbers);
/// Number of rows of a step, padding included.
std::size_t padded_rows(std::size_t rows);
/// The first `count` rows as the rows of one step.
std::shared_ptr<const RecurrentSteps> one_step(int count);

}  // namespace gloss
