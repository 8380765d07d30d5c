// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/trace.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

void Trace::begin_step(std::span<const float> attention) {
  if (sources_ == 0) return;
  const auto width = index(sources_);
  expects(attention.size() % width == 0 && !attention.empty(), "attention has ", attention.size(),
          " numbers, expected rows of ", width);
  first_row_ = static_cast<int>(attention_.size() / width);
  attention_.insert(attention_.end(), attention.begin(), attention.end());
}

int Trace::add(int parent, int row, TokenId token, double log_probability) {
  nodes_.push_back({parent, first_row_ + row, token, log_probability});
  return static_cast<int>(nodes_.size()) - 1;
}

Trace::End Trace::end(int parent, int row, double log_probability) const {
  return {parent, first_row_ + row, log_probability};
}

std::vector<TokenId> Trace::tokens_to(int node) const {
  std::vector<TokenId> tokens;
  for (; node != kRoot; node = nodes_[index(node)].parent) {
    tokens.push_back(nodes_[index(node)].token);
  }
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

std::span<const float> Trace::attention_of(int row) const {
  const auto width = index(sources_);
  if (width == 0) return {};
  return std::span(attention_).subspan(index(row) * width, width);
}

Hypothesis Trace::hypothesis(const End& end) const {
  Hypothesis result;
  result.tokens = tokens_to(end.parent);
  result.log_probability = end.log_probability;
  result.token_log_probabilities.resize(result.tokens.size() + 1);
  double with = end.log_probability;
  int node = end.parent;
  auto& all = result.token_log_probabilities;
  for (auto own = all.rbegin(); own != all.rend(); ++own) {
    const double without = node == kRoot ? 0 : nodes_[index(node)].log_probability;
    *own = with - without;
    if (node == kRoot) break;
    with = without;
    node = nodes_[index(node)].parent;
  }
  return result;
}

std::vector<int> Trace::attention_rows(const End& end) const {
  std::vector<int> rows{end.attention_row};
  for (int node = end.parent; node != kRoot; node = nodes_[index(node)].parent) {
    rows.push_back(nodes_[index(node)].attention_row);
  }
  return rows;
}

std::vector<float> Trace::attention_to(const End& end) const {
  std::vector<float> all;
  const std::vector<int> rows = attention_rows(end);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const std::span<const float> weights = attention_of(*row);
    all.insert(all.end(), weights.begin(), weights.end());
  }
  return all;
}

std::vector<double> Trace::attention_sums(const End& end) const {
  std::vector<double> sums(index(sources_));
  for (const int row : attention_rows(end)) {
    const std::span<const float> weights = attention_of(row);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(weights[i]);
  }
  return sums;
}

}  // namespace gloss
