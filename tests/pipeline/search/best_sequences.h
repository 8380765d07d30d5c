// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/index.h"
#include "tests/support/brute_force.h"
#include "tests/support/found_in_batches.h"

namespace gloss {

using Row = TableDecoder::Row;
inline constexpr int kLimit = 5;  // tokens

inline SearchSettings wide_beam() {
  SearchSettings settings;
  settings.beam_size = 3000;  // more than the number of sequences
  settings.n_best = 8;
  settings.max_length = kLimit;
  return settings;
}

inline bool has_run(const Row& tokens, const Row& run) {
  return std::search(tokens.begin(), tokens.end(), run.begin(), run.end()) != tokens.end();
}

/// The score of a translation, given its source.
using Score = std::function<double(const TableDecoder&, const Row& source, const Row& tokens)>;

/// Expects that a search finds the best of all sequences that `allowed` accepts.
inline void expect_best(const SearchSettings& settings, const std::function<bool(const Row&)>& allowed,
                        const RowDemands& demands = {}, const TokenRules& rules = {},
                        const Score& score = {}) {
  const TableDecoder decoder(5, 0.5);
  SearchInput rows(random_sources(4, 4, 3));
  rows.demands.assign(4, demands);
  const auto results = search_all(decoder, rows, settings, rules);
  for (int row = 0; row < 4; ++row) {
    const Row source = row_of(rows.sources, row);
    auto expected = all_translations(decoder, source, settings, kLimit, allowed);
    if (score) {
      for (Hypothesis& other : expected) other.score = score(decoder, source, other.tokens);
      std::ranges::stable_sort(expected, std::greater(), &Hypothesis::score);
    }
    const auto& found = results[index(row)];
    ASSERT_EQ(found.size(), std::min<std::size_t>(8, expected.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].tokens, expected[i].tokens) << "row " << row << " place " << i;
      EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-5);
      EXPECT_NEAR(found[i].score, expected[i].score, 1e-5);
      EXPECT_EQ(found[i].missing, 0);
    }
  }
}

}  // namespace gloss
