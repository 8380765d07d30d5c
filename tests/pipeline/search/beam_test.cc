// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/beam.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "tests/support/brute_force.h"
#include "tests/support/found_in_batches.h"

namespace gloss {
namespace {

using BeamRow = TableDecoder::Row;

/// Greedy search: takes the most probable token until it is the end token.
BeamRow greedy(const TableDecoder& decoder, const BeamRow& source, int limit) {
  BeamRow prefix{decoder.begin()};
  while (static_cast<int>(prefix.size()) <= limit) {
    const std::vector<float> scores = decoder.scores(source, prefix);
    const auto best = static_cast<TokenId>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    if (best == decoder.end()) break;
    prefix.push_back(best);
  }
  return {prefix.begin() + 1, prefix.end()};
}

TEST(Beam, AWideBeamFindsTheBestOfAllSequences) {
  constexpr int kLimit = 4;
  for (const double penalty : {0.0, 0.6, 1.0, 2.0}) {
    for (const int min_length : {0, 2}) {
      SearchSettings settings;
      settings.beam_size = 1000;
      settings.n_best = 10;
      settings.length_penalty = penalty;
      settings.max_length = kLimit;
      settings.min_length = min_length;
      const TableDecoder decoder(5, 0.5);
      const TokenRows sources = random_sources(6, 4, 3);
      const auto results = search_all(decoder, sources, settings);
      for (int row = 0; row < sources.rows(); ++row) {
        const auto expected = all_translations(decoder, row_of(sources, row), settings, kLimit);
        const auto& found = results[index(row)];
        ASSERT_EQ(found.size(), 10u);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].tokens, expected[i].tokens) << "penalty " << penalty << " place " << i;
          EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-5);
          EXPECT_NEAR(found[i].score, expected[i].score, 1e-5);
        }
      }
    }
  }
}

TEST(Beam, ABeamOfOneIsGreedy) {
  SearchSettings settings;
  settings.beam_size = 1;
  const TableDecoder decoder(40, 2.5);
  const TokenRows sources = random_sources(50, 8, 11);
  const auto results = search_all(decoder, sources, settings);
  for (int row = 0; row < sources.rows(); ++row) {
    const auto& found = results[index(row)];
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].tokens,
              greedy(decoder, row_of(sources, row), length_limit(settings, sources.length(row) - 1)));
  }
}

TEST(Beam, ARowIsTheSameInEveryBatch) {
  for (const int beam_size : {1, 4}) {
    SearchSettings settings;
    settings.beam_size = beam_size;
    settings.n_best = beam_size;
    const TableDecoder decoder(30, 2);
    const TokenRows sources = random_sources(40, 10, 7);
    const auto together = search_all(decoder, sources, settings);
    for (int row = 0; row < sources.rows(); ++row) {
      TokenRows alone;
      alone.add(sources.row(row));
      const auto found = search_all(decoder, alone, settings)[0];
      const auto& expected = together[index(row)];
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].tokens, expected[i].tokens);
        EXPECT_EQ(found[i].score, expected[i].score);
        EXPECT_EQ(found[i].log_probability, expected[i].log_probability);
      }
    }
  }
}

/// The reference: a plain beam search that never stops early.
std::vector<Hypothesis> search_to_the_limit(const TableDecoder& decoder, const BeamRow& source,
                                            const SearchSettings& settings, int limit) {
  std::vector<Hypothesis> live{{}}, ended;
  for (int length = 0; length <= limit; ++length) {
    std::vector<Hypothesis> next;
    for (const Hypothesis& hypothesis : live) {
      BeamRow prefix{decoder.begin()};
      prefix.insert(prefix.end(), hypothesis.tokens.begin(), hypothesis.tokens.end());
      for (TokenId token = 0; token < decoder.vocabulary_size(); ++token) {
        if (length == limit && token != decoder.end()) continue;
        Hypothesis longer = hypothesis;
        longer.tokens.push_back(token);
        longer.log_probability += log_probability(decoder, source, prefix, token);
        next.push_back(longer);
      }
    }
    std::stable_sort(next.begin(), next.end(), [](const Hypothesis& a, const Hypothesis& b) {
      return a.log_probability > b.log_probability;
    });
    next.resize(std::min(next.size(), index(settings.beam_size)));
    live.clear();
    for (Hypothesis& hypothesis : next) {
      if (hypothesis.tokens.back() != decoder.end()) {
        live.push_back(hypothesis);
        continue;
      }
      hypothesis.score = hypothesis.log_probability /
                         std::pow(static_cast<double>(hypothesis.tokens.size()), settings.length_penalty);
      hypothesis.tokens.pop_back();
      ended.push_back(hypothesis);
    }
  }
  std::stable_sort(ended.begin(), ended.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  ended.resize(index(settings.n_best));
  return ended;
}

TEST(Beam, PatienceLimitsTheFinishedHypotheses) {
  const TokenRows sources = random_sources(20, 6, 23);
  SearchSettings settings;
  settings.beam_size = 3;
  const TableDecoder exact(12, 2);
  const auto best = search_all(exact, sources, settings);
  int rows_stepped = 0;
  for (const double patience : {0.4, 1.0, 100.0}) {
    settings.patience = patience;
    const TableDecoder decoder(12, 2);
    const auto found = search_all(decoder, sources, settings);
    for (std::size_t row = 0; row < found.size(); ++row) {
      ASSERT_EQ(found[row].size(), 1u);
      EXPECT_LE(found[row][0].score, best[row][0].score);
      EXPECT_TRUE(patience < 100 || found[row][0].tokens == best[row][0].tokens);
    }
    EXPECT_GT(decoder.rows_stepped, rows_stepped) << "more patience, more steps";
    rows_stepped = decoder.rows_stepped;
  }
  EXPECT_EQ(rows_stepped, exact.rows_stepped);
}

TEST(Beam, StoppingEarlyChangesNothing) {
  for (const double penalty : {0.0, 1.0, 1.5}) {
    for (const int n_best : {1, 3}) {
      SearchSettings settings;
      settings.beam_size = 3;
      settings.n_best = n_best;
      settings.length_penalty = penalty;
      settings.max_length_factor = 1;
      const TableDecoder decoder(12, 2);
      const TokenRows sources = random_sources(20, 6, 23);
      const auto results = search_all(decoder, sources, settings);
      int longest = 0, full_rows = 0;
      for (int row = 0; row < sources.rows(); ++row) {
        const int limit = length_limit(settings, sources.length(row) - 1);
        longest = std::max(longest, limit + 1);
        full_rows += settings.beam_size * (limit + 1);
        const auto expected = search_to_the_limit(decoder, row_of(sources, row), settings, limit);
        const auto& found = results[index(row)];
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].tokens, expected[i].tokens);
      }
      EXPECT_LE(decoder.steps, longest);
      EXPECT_LT(decoder.rows_stepped, full_rows * (penalty == 0 ? 0.4 : 0.9))
          << "hypotheses that cannot win are continued";
    }
  }
}

/// Gives all tokens score 0, except for the end token.
class FlatDecoder : public TableDecoder {
 public:
  FlatDecoder(int vocabulary, float end_score) : TableDecoder(vocabulary), end_score_(end_score) {}
  std::vector<float> scores(const BeamRow&, const BeamRow&) const override {
    std::vector<float> row(index(vocabulary_size()), 0.0f);
    row[index(end())] = end_score_;
    return row;
  }

 private:
  float end_score_;
};

TEST(Beam, TheLengthLimitCutsUnfinishedHypotheses) {
  const FlatDecoder decoder(8, -50);
  for (const int beam_size : {1, 4}) {
    SearchSettings settings;
    settings.beam_size = beam_size;
    settings.n_best = beam_size;
    settings.max_length_factor = 2;
    TokenRows sources;
    sources.add(BeamRow{5, 6, 7, 2});
    const auto found = search_all(decoder, sources, settings)[0];
    ASSERT_EQ(found.size(), index(beam_size));
    for (const Hypothesis& hypothesis : found) {
      EXPECT_EQ(hypothesis.tokens.size(), 16u);
      EXPECT_EQ(hypothesis.cut, Cut::by_length);
    }
  }
  EXPECT_EQ(search_all(FlatDecoder(8, 50), random_sources(1, 3, 1), {})[0][0].cut, Cut::none);
}

TEST(Beam, TiesAreResolvedByTokenThenByPlaceInTheBeam) {
  SearchSettings settings;
  settings.beam_size = 3;
  settings.n_best = 3;
  settings.max_length = 1;
  const auto found = search_all(FlatDecoder(6, 0), random_sources(1, 3, 1), settings)[0];
  // Step 1 keeps tokens 0, 1 and the end token; step 2 ends the other two hypotheses.
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].tokens, BeamRow{});
  EXPECT_EQ(found[1].tokens, (BeamRow{0}));
  EXPECT_EQ(found[2].tokens, (BeamRow{1}));
}

TEST(Beam, MinLengthIsRespected) {
  SearchSettings settings;
  settings.min_length = 5;
  settings.n_best = 3;
  for (const int beam_size : {3, 5}) {
    settings.beam_size = beam_size;
    for (const auto& found : search_all(TableDecoder(20, 8), random_sources(10, 6, 5), settings)) {
      ASSERT_EQ(found.size(), 3u);
      for (const Hypothesis& hypothesis : found) EXPECT_GE(hypothesis.tokens.size(), 5u);
    }
  }
}

TEST(Beam, NoRowsGiveNoResults) {
  const TableDecoder decoder(6);
  EXPECT_TRUE(search_all(decoder, {}, {}).empty());
  EXPECT_EQ(decoder.starts, 0);
}

TEST(SearchSettings, LimitsAndChecks) {
  SearchSettings settings;
  EXPECT_EQ(length_limit(settings, 0), 10);
  EXPECT_EQ(length_limit(settings, 7), 24);
  EXPECT_EQ(length_limit(settings, 1 << 30), settings.max_length);
  settings.max_length_factor = settings.max_length_offset = 3;
  EXPECT_EQ(length_limit(settings, 7), 24);
  EXPECT_EQ(length_limit(settings, 0), 3);
  settings.max_length_factor = 0;
  settings.min_length = 20;
  EXPECT_EQ(length_limit(settings, 7), 20);

  check(SearchSettings{}, 100);
  EXPECT_THROW(check(SearchSettings{}, 4), UsageError);
  settings = {};
  settings.n_best = 6;
  EXPECT_THROW(check(settings, 100), UsageError);
  settings = {};
  settings.min_length = 2000;
  EXPECT_THROW(check(settings, 100), UsageError);
}

}  // namespace
}  // namespace gloss
