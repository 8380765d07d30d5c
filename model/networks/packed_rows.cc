// SPDX-License-Identifier: Apache-2.0

#include "model/networks/packed_rows.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"

namespace gloss {

PackedRows::PackedRows(const TokenRows& rows, int padded_to)
    : tokens(rows.tokens),
      starts(rows.starts),
      numbers(rows.numbers),
      number_starts(rows.number_starts),
      multiple(padded_to) {
  for (int row = 0; row < rows.rows(); ++row) {
    for (int i = 0; i < rows.length(row); ++i) places.push_back(i);
  }
  const auto size = round_up(tokens.size(), index(multiple));
  tokens.resize(size, -1);
  places.resize(size, 0);
}

PackedRows PackedRows::halved() const {
  TokenRows rows;
  for (int s = 0; s < sentences(); ++s) {
    std::vector<TokenId> row(index(ceil_div(length(s), 2)));
    std::iota(row.begin(), row.end(), 0);
    rows.add(row);
  }
  PackedRows halves(rows, multiple);
  halves.numbers = {};
  halves.number_starts = {};
  return halves;
}

std::vector<AttentionSpan> PackedRows::spans_to(const PackedRows& keys) const {
  std::vector<AttentionSpan> spans;
  for (int s = 0; s < sentences(); ++s) {
    if (length(s) > 0) spans.push_back({start(s), length(s), keys.start(s), keys.length(s)});
  }
  return spans;
}

std::vector<TokenId> PackedRows::shifted(TokenId begin) const {
  std::vector<TokenId> input(tokens.size(), -1);
  for (int s = 0; s < sentences(); ++s) {
    const auto first = tokens.begin() + start(s);
    const auto to = input.begin() + start(s);
    *to = begin;
    std::copy(first, first + length(s) - 1, to + 1);
  }
  return input;
}

std::vector<float> token_weights(const Batch& batch, std::size_t count) {
  if (batch.weights.empty()) return {};
  expects(static_cast<int>(batch.weights.size()) == batch.target.rows(), "a batch with ",
          batch.weights.size(), " weights for ", batch.target.rows(), " rows");
  std::vector<float> weights;
  for (int row = 0; row < batch.target.rows(); ++row) {
    weights.insert(weights.end(), index(batch.target.length(row)), batch.weights[index(row)]);
  }
  weights.resize(count);
  return weights;
}

double weight_of(const Batch& batch) {
  if (batch.weights.empty()) return static_cast<double>(batch.target.tokens.size());
  double sum = 0;
  for (int row = 0; row < batch.target.rows(); ++row) {
    sum += static_cast<double>(batch.weights[index(row)]) * batch.target.length(row);
  }
  return sum;
}

}  // namespace gloss
