// SPDX-License-Identifier: Apache-2.0

#include "model/networks/ctc_head.h"

#include "base/index.h"
#include "model/tensor/ops_ctc.h"

namespace gloss {

CtcHead::CtcHead(Parameters& parameters, std::int64_t width, const VocabularySettings& vocabulary)
    : scores_(parameters, "ctc", width, vocabulary.target, xavier_uniform(width, vocabulary.target)),
      blank_(vocabulary.begin) {}

VectorLabels CtcHead::label(const EncodedRows& encoded) const {
  return {scores_(encoded.states), encoded.starts};
}

Tensor CtcHead::loss(const EncodedRows& encoded, const Batch& batch) const {
  CtcLabels labels{.starts = encoded.starts, .weights = batch.weights, .blank = blank_};
  for (int row = 0; row < batch.target.rows(); ++row) {
    const std::span<const TokenId> target = batch.target.row(row);
    labels.labels.insert(labels.labels.end(), target.begin(), target.end() - 1);
    labels.label_starts.push_back(static_cast<int>(labels.labels.size()));
  }
  return ctc_loss(scores_(encoded.states), std::move(labels));
}

}  // namespace gloss
