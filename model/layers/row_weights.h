// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

/// Receives how much rows of sentences count in the results of a layer: weights [T, heads * per_head], f32;
/// in head h, column h * per_head + c of a row is the weight of row `first` + c of the same sentence.
using RowWeightVisitor = std::function<void(int first, int per_head, const Tensor& weights)>;

/// One for each layer of a stack; an empty one wants nothing.
using LayerVisitors = std::vector<RowWeightVisitor>;
/// The visitor of a layer; null if there is none.
inline const RowWeightVisitor* visitor_of(const LayerVisitors* visitors, std::size_t layer) {
  return visitors != nullptr && (*visitors)[layer] ? &(*visitors)[layer] : nullptr;
}

/// The input of a mixer whose results are weighted sums of values: the last heads * head_width columns of
/// `rows` are the values of each head.
struct MixedRows {
  const Tensor& rows;
  int heads;
  std::int64_t head_width;
};

/// Calls `visit`, if there is one, with the weights of all rows: what `mix(rows)` gives for values that are 1
/// for one row and 0 for all others. It so sees what the mixer does with any values, whatever its pattern.
void visit_row_weights(const RowWeightVisitor* visit, const std::vector<AttentionSpan>& spans,
                       const MixedRows&, const std::function<Tensor(const Tensor& rows)>& mix);

}  // namespace gloss
