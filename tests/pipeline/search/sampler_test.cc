// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/sampler.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "tests/support/found_in_batches.h"
#include "tests/support/table_decoder.h"

namespace gloss {
namespace {

const std::vector<float> kScores{1.5f, 0.2f, -1.0f, 0.9f, 0.2f, -3.0f};

/// The relative frequency of each token among many draws.
std::vector<double> frequencies(const SamplingSettings& settings, TokenId refused = -1) {
  constexpr int kDraws = 40'000;
  std::vector<double> counts(kScores.size());
  Random random(3);
  const DrawableTokens tokens(kScores, settings, [&](TokenId token) { return token != refused; });
  for (int i = 0; i < kDraws; ++i) {
    counts.at(index(tokens.draw(random))) += 1.0 / kDraws;
  }
  return counts;
}

/// The softmax of the scores over the tokens in `left`.
std::vector<double> probabilities(double temperature, const std::vector<TokenId>& left) {
  std::vector<double> result(kScores.size());
  double sum = 0;
  for (const TokenId token : left) {
    const auto place = index(token);
    sum += result[place] = std::exp(static_cast<double>(kScores[place]) / temperature);
  }
  for (double& value : result) value /= sum;
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], expected[i] == 0 ? 0 : 0.01) << i;
  }
}

TEST(DrawableTokens, FollowsTheProbabilities) {
  expect_near(frequencies({}), probabilities(1, {0, 1, 2, 3, 4, 5}));
  expect_near(frequencies({.temperature = 0.5}), probabilities(0.5, {0, 1, 2, 3, 4, 5}));
  expect_near(frequencies({.temperature = 3}), probabilities(3, {0, 1, 2, 3, 4, 5}));
}

TEST(DrawableTokens, TopKAndTopPKeepTheMostProbable) {
  expect_near(frequencies({.top_k = 1}), probabilities(1, {0}));
  expect_near(frequencies({.top_k = 3}), probabilities(1, {0, 1, 3}));  // the lower of two equal ones
  expect_near(frequencies({.top_k = 99}), probabilities(1, {0, 1, 2, 3, 4, 5}));
  expect_near(frequencies({.top_p = 0.01}), probabilities(1, {0}));
  // Tokens 0 and 3 have 0.47 and 0.26 of the probability, together 0.73.
  expect_near(frequencies({.top_p = 0.7}), probabilities(1, {0, 3}));
  expect_near(frequencies({.top_p = 0.75}), probabilities(1, {0, 1, 3}));
  expect_near(frequencies({.top_k = 2, .top_p = 0.6}), probabilities(1, {0}));  // 0.64 of the two
}

TEST(DrawableTokens, RefusedTokensAreRedrawn) {
  expect_near(frequencies({}, 0), probabilities(1, {1, 2, 3, 4, 5}));
  expect_near(frequencies({.top_k = 2}, 0), probabilities(1, {1, 3}));
  Random random(1);
  for (const SamplingSettings& settings : {SamplingSettings{}, SamplingSettings{.top_p = 0.5}}) {
    EXPECT_EQ(DrawableTokens(kScores, settings, [](TokenId) { return false; }).draw(random), -1);
  }
}

TEST(Sampling, DependsOnSeedAndRowNumberAlone) {
  const TableDecoder decoder(20, 1);
  SearchInput rows(random_sources(60, 8, 2));
  for (int row = 0; row < 60; ++row)
    rows.demands.push_back({{}, nullptr, static_cast<std::uint64_t>(row + 100)});
  SearchSettings settings;
  settings.sampling.sample = true;
  settings.n_best = 3;
  const auto expected = search_all(decoder, rows, settings);
  for (const int threads : {1, 3}) {
    for (const int size : {1, 7, 64}) {
      const auto found = found_in_batches(decoder, rows, settings, {size, 1000}, threads);
      for (std::size_t row = 0; row < 60; ++row) {
        ASSERT_EQ(found[row].size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_EQ(found[row][i].tokens, expected[row][i].tokens);
          EXPECT_EQ(found[row][i].score, expected[row][i].score);
        }
      }
    }
  }
  int same = 0;
  settings.sampling.seed = 2;
  const auto other = search_all(decoder, rows, settings);
  for (std::size_t row = 0; row < 60; ++row) same += other[row][0].tokens == expected[row][0].tokens ? 1 : 0;
  EXPECT_LT(same, 20);
  for (std::size_t row = 0; row < 60; ++row) {
    EXPECT_GE(expected[row][0].score, expected[row][1].score) << "the best first";
  }
}

TEST(Sampling, TopKOfOneIsGreedySearch) {
  const TableDecoder decoder(20, 1);
  const TokenRows sources = random_sources(30, 8, 2);
  SearchSettings greedy, drawn;
  greedy.beam_size = 1;
  drawn.sampling.sample = true;
  drawn.sampling.top_k = 1;
  const auto expected = search_all(decoder, sources, greedy), found = search_all(decoder, sources, drawn);
  for (std::size_t row = 0; row < 30; ++row) {
    EXPECT_EQ(found[row][0].tokens, expected[row][0].tokens);
    EXPECT_EQ(found[row][0].score, expected[row][0].score);
  }
}

TEST(Sampling, InvalidSettingsAreRefused) {
  const auto refused = [](SamplingSettings sampling) {
    SearchSettings settings;
    settings.sampling = sampling;
    EXPECT_THROW(check(settings, 100), UsageError);
  };
  refused({.sample = true, .temperature = 0});
  refused({.sample = true, .top_p = 0});
  refused({.top_k = 5});
  SearchSettings many;
  many.sampling.sample = true;
  many.n_best = 50;
  check(many, 100);
}

}  // namespace
}  // namespace gloss
