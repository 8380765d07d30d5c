// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/networks/batch.h"
#include "model/tensor/ops.h"
#include "model/tensor/packed_matrix.h"

namespace gloss {

/// The part of an output layer that computes the scores of some tokens, for rows restricted to these tokens.
struct OutputPart {
  std::vector<TokenId> tokens;                   ///< ascending, each once
  std::shared_ptr<const PackedMatrix> weight{};  ///< their rows and padding; null: all scores are computed
  std::vector<float> bias{};                     ///< of the weight's rows; empty: none
  std::vector<OutputPart> members{};             ///< one part per member of an ensemble
};

/// Receives a row's scores of the tokens of its part, in order.
using UsePartScores = std::function<void(int row, std::span<const float> scores)>;

/// The part of an output layer, packed in the same way.
OutputPart part_of(const OutputLayer&, std::vector<TokenId> tokens);

/// Scores of the first rows of `hidden`, one row for each part; parts must have a weight. A row's scores
/// depend only on that row and its part, bit for bit. Adjacent rows with the same part are computed together.
void scores_in_parts(const Tensor& hidden, std::span<const OutputPart* const> parts,
                     const UsePartScores& use);

}  // namespace gloss
