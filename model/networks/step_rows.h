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
/// Number of rows of a step, padding included: a multiple of kDecodingRows, or for few rows 2 or 4, since a
/// step of one sentence should not cost as much as one of eight.
std::size_t padded_rows(std::size_t rows);
/// The first `count` rows as the rows of one step.
std::shared_ptr<const RecurrentSteps> one_step(int count);

}  // namespace gloss
