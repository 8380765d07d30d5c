// SPDX-License-Identifier: Apache-2.0

#include "model/networks/r_drop.h"

#include "base/error.h"
#include "base/index.h"
#include "model/networks/packed_rows.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

template <class Item>
void append(std::vector<Item>& to, const std::vector<Item>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

TokenRows twice(const TokenRows& rows) {
  TokenRows both = rows;
  for (int row = 0; row < rows.rows(); ++row) both.add(rows, row);
  return both;
}

}  // namespace

Batch twice(const Batch& batch) {
  Batch both{twice(batch.source), twice(batch.target), batch.weights, batch.links, batch.soft, batch.epoch};
  if (both.weights.empty()) both.weights.assign(index(batch.target.rows()), 1.0f);
  for (float& weight : both.weights) weight /= 2;
  append(both.weights, std::vector(both.weights));
  const auto sources = static_cast<std::int32_t>(batch.source.tokens.size()),
             targets = static_cast<std::int32_t>(batch.target.tokens.size());
  for (const TokenLink& link : batch.links) {
    both.links.push_back({link.source + sources, link.target + targets});
  }
  append(both.soft.tokens, batch.soft.tokens);
  append(both.soft.shares, batch.soft.shares);
  return both;
}

PairedTargets paired_targets(const Tensor& hidden, const Batch& batch) {
  const TokenRows& target = batch.target;
  const int half = static_cast<int>(target.tokens.size() / 2), per_row = batch.soft.per_row;
  expects(target.rows() % 2 == 0 && target.starts[index(target.rows() / 2)] == half,
          "a batch without two equal halves");
  const std::vector<float> weights = token_weights(batch, target.tokens.size());
  PairedTargets paired;
  paired.soft.per_row = per_row;
  std::vector<int> rows;
  for (int token = 0; token < half; ++token) {
    for (const int row : {token, token + half}) {
      rows.push_back(row);
      paired.targets.push_back(target.tokens[index(row)]);
      if (!weights.empty()) paired.weights.push_back(weights[index(row)]);
      for (int i = row * per_row; i < (row + 1) * per_row; ++i) {
        paired.soft.tokens.push_back(batch.soft.tokens[index(i)]);
        paired.soft.shares.push_back(batch.soft.shares[index(i)]);
      }
    }
  }
  const auto padded = index(hidden.rows());
  rows.resize(padded, -1);
  paired.targets.resize(padded, -1);
  if (!weights.empty()) paired.weights.resize(padded);
  paired.hidden = take_rows(hidden, std::move(rows));
  return paired;
}

}  // namespace gloss
