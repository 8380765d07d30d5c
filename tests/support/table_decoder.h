// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "model/networks/network.h"

namespace gloss {

/// A decoder without a network: a random generator seeded with the source row and the target prefix gives the
/// logits of the next token, so they form a fixed table of probabilities.
class TableDecoder : public Decoder {
 public:
  explicit TableDecoder(int vocabulary, double end_bonus = 0) : vocabulary_(vocabulary), bonus_(end_bonus) {}

  using Row = std::vector<TokenId>;

  /// The logits after `prefix`.
  virtual std::vector<float> scores(const Row& source, const Row& prefix) const {
    std::uint64_t seed = 17;
    for (const TokenId token : source) seed = mix_bits(seed * 31 + static_cast<std::uint64_t>(token) + 1);
    for (const TokenId token : prefix) seed = mix_bits(seed * 37 + static_cast<std::uint64_t>(token) + 7);
    Random random(seed);
    std::vector<float> row(index(vocabulary_));
    for (float& score : row) score = static_cast<float>(2 * random.normal());
    row[index(end())] += static_cast<float>(bonus_);
    return row;
  }

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override {
    auto state = std::make_unique<State>();
    for (int row = 0; row < source.rows(); ++row) {
      const auto tokens = source.row(row);
      state->rows.push_back({Row(tokens.begin(), tokens.end()), {}});
    }
    const std::lock_guard lock(guard_);
    ++starts;
    return state;
  }

  /// Attention weights over the source row after `prefix`, random like the logits; they sum to 1.
  virtual std::vector<float> attention(const Row& source, const Row& prefix) const {
    std::uint64_t seed = 5;
    for (const TokenId token : prefix) seed = mix_bits(seed * 41 + static_cast<std::uint64_t>(token) + 3);
    Random random(seed);
    std::vector<float> row(source.size());
    float sum = 0;
    for (float& weight : row) sum += weight = static_cast<float>(std::exp(2 * random.normal()));
    for (float& weight : row) weight /= sum;
    return row;
  }

  Tensor step(std::span<const TokenId> latest, DecoderState& any, SourceAttention* looked) const override {
    auto& state = dynamic_cast<State&>(any);
    std::vector<std::size_t> row_of;  // of each token
    for (std::size_t row = 0; row < state.rows.size(); ++row) {
      row_of.insert(row_of.end(), state.taken.empty() ? 1 : index(state.taken[row]), row);
    }
    state.taken.clear();
    expects(latest.size() == row_of.size(), "step() needs the tokens of each row");
    // Returns an additional row, as networks do that pad single rows.
    Tensor result = Tensor::zeros({static_cast<std::int64_t>(latest.size()) + 1, vocabulary_});
    if (looked != nullptr) *looked = {};
    for (std::size_t place = 0; place < latest.size(); ++place) {
      auto& [source, prefix] = state.rows[row_of[place]];
      prefix.push_back(latest[place]);
      if (looked != nullptr) {
        const std::vector<float> weights = attention(source, prefix);
        looked->weights.insert(looked->weights.end(), weights.begin(), weights.end());
        looked->starts.push_back(looked->weights.size());
      }
      const std::vector<float> values = scores(source, prefix);
      std::copy(values.begin(), values.end(), result.data() + place * values.size());
    }
    const std::lock_guard lock(guard_);
    ++steps;
    rows_stepped += static_cast<int>(latest.size());
    most_rows = std::max(most_rows, static_cast<int>(latest.size()));
    return result;
  }

  bool takes_several() const override { return true; }
  int vocabulary_size() const override { return vocabulary_; }
  TokenId begin() const override { return 1; }
  TokenId end() const override { return 2; }

  mutable int starts = 0, steps = 0, rows_stepped = 0, most_rows = 0;

 private:
  struct State : DecoderState {
    void select(std::span<const int> chosen) override {
      std::vector<std::pair<Row, Row>> kept;
      for (const int row : chosen) kept.push_back(rows.at(index(row)));
      rows = std::move(kept);
    }
    void append(DecoderState& more) override {
      for (const auto& [source, prefix] : dynamic_cast<State&>(more).rows) {
        expects(prefix.empty(), "append() got a row that is not new");
        rows.emplace_back(source, prefix);
      }
    }
    void take(std::span<const int> counts) override { taken.assign(counts.begin(), counts.end()); }
    void forget(std::span<const int> counts) override {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        Row& prefix = rows[row].second;
        expects(index(counts[row]) <= prefix.size(), "forget() of more tokens than a row has");
        prefix.resize(prefix.size() - index(counts[row]));
      }
    }
    std::vector<std::pair<Row, Row>> rows;  // source, target prefix
    std::vector<int> taken{};               // tokens of the next step; empty: one of each row
  };
  int vocabulary_;
  double bonus_;
  mutable std::mutex guard_;
};

/// Source rows of 1 to `longest` random tokens and the end token.
inline TokenRows random_sources(int rows, int longest, std::uint64_t seed) {
  Random random(seed);
  TokenRows sources;
  for (int row = 0; row < rows; ++row) {
    std::vector<TokenId> tokens(1 + random.below(static_cast<std::uint64_t>(longest)));
    for (TokenId& token : tokens) token = static_cast<TokenId>(3 + random.below(50));
    tokens.push_back(2);
    sources.add(tokens);
  }
  return sources;
}

}  // namespace gloss
