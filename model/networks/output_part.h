#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/networks/batch.h"
#include "model/tensor/packed_matrix.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// The part of an output layer that gives the scores of some tokens: all that rows need which may have no
/// others.
struct OutputPart {
  std::vector<TokenId> tokens;                   ///< ascending, each once
  std::shared_ptr<const PackedMatrix> weight{};  ///< their rows and some more; null: all scores are computed
  std::vector<OutputPart> members{};             ///< of each member, for decoders that are made of several
};

/// Gets a row's scores of the tokens of its part, in their order.
using UsePartScores = std::function<void(int row, std::span<const float> scores)>;

/// The part of a weight [vocabulary, width], packed as the whole is.
OutputPart part_of(const Tensor& weight, std::vector<TokenId> tokens);

/// Scores of the first rows of `hidden`, one for each part, which has a weight. A row's scores depend on
/// nothing but that row and its part, bit for bit. Rows of one part that lie side by side are computed
/// together.
void scores_in_parts(const Tensor& hidden, std::span<const OutputPart* const> parts,
                     const UsePartScores& use);

}  // namespace gloss
