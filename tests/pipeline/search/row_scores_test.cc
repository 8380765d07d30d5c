// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/row_scores.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace gloss {
namespace {

std::vector<float> random_row(int size, std::uint64_t seed, double spread) {
  Random random(seed);
  std::vector<float> row(index(size));
  for (float& score : row) score = static_cast<float>(spread * random.normal());
  return row;
}

double exact_normalizer(const std::vector<float>& row) {
  const double maximum = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const float score : row) sum += std::exp(score - maximum);
  return maximum + std::log(sum);
}

TEST(RowScores, AgreeWithSortingTheWholeRow) {
  for (const int size : {1, 2, 15, 16, 17, 255, 256, 257, 1000, 32000}) {
    for (const int count : {1, 2, 5, 40}) {
      const std::vector<float> row = random_row(size, static_cast<std::uint64_t>(size), 3);
      std::vector<int> order(row.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return row[index(a)] > row[index(b)]; });
      std::vector<Candidate> best;
      const double normalizer = RowScores(row).top(count, best);
      EXPECT_NEAR(normalizer, exact_normalizer(row), 1e-6);
      ASSERT_EQ(best.size(), index(std::min(size, count)));
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i].token, order[i]);
        EXPECT_NEAR(best[i].log_probability, row[index(order[i])] - normalizer, 1e-5);
      }
    }
  }
}

TEST(RowScores, BestScoresEqualThoseOfTheWholeRow) {
  const std::vector<float> row = random_row(5000, 21, 3);
  TopScores top;
  top.begin(1, 5000, {7, {4, 4999}});
  top.add_row(0, row.data());
  const RowScores all(row), some(top, 0);
  const auto odd = [](TokenId token) { return token % 2 == 1; };
  std::vector<Candidate> of_all, of_some;
  const auto expect_same = [&](double one, double other) {
    EXPECT_EQ(one, other);
    ASSERT_EQ(of_all.size(), of_some.size());
    for (std::size_t i = 0; i < of_all.size(); ++i) {
      EXPECT_EQ(of_all[i].token, of_some[i].token);
      EXPECT_EQ(of_all[i].log_probability, of_some[i].log_probability);
    }
  };
  expect_same(all.top(7, of_all), some.top(7, of_some));
  expect_same(all.top(2, odd, of_all), some.top(2, odd, of_some));
  EXPECT_EQ(some[4], row[4]);
  EXPECT_EQ(some[4999], row[4999]);
  EXPECT_THROW(some[5], BrokenPromise) << "it was not requested";
  EXPECT_THROW(some.all(), BrokenPromise);
}

TEST(RowScores, NormalizerIsExactForWidelySpreadScores) {
  for (const double spread : {0.0, 0.01, 30.0, 1000.0, 1e30}) {
    const std::vector<float> row = random_row(3000, 5, spread);
    std::vector<Candidate> best;
    const double exact = exact_normalizer(row);
    EXPECT_NEAR(RowScores(row).top(3, best), exact, 1e-6 * std::max(1.0, std::abs(exact)));
  }
}

TEST(RowScores, TiesAreResolvedByToken) {
  const std::vector<float> row(700, 1.5f);
  std::vector<Candidate> best;
  RowScores(row).top(3, best);
  ASSERT_EQ(best.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(best[index(i)].token, i);
  EXPECT_NEAR(best[0].log_probability, -std::log(700.0), 1e-6);
}

TEST(RowScores, ImpossibleTokensAreLeftOut) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  std::vector<float> row(600, kNever);
  row[599] = 4;
  std::vector<Candidate> best;
  EXPECT_NEAR(RowScores(row).top(2, best), 4, 1e-6);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].token, 599);
  EXPECT_NEAR(best[0].log_probability, 0, 1e-6);
}

TEST(RowScores, NonFiniteScoresAreNeverReturned) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();
  std::vector<Candidate> best;
  for (const float bad : {kNoNumber, kInfinite, -kInfinite}) {
    EXPECT_THROW(RowScores(std::vector<float>(300, bad)).top(2, best), Error);
  }
  for (const std::size_t place : {0u, 1u, 17u, 299u}) {
    std::vector<float> row(300, 0.5f);
    row[place] = kInfinite;
    EXPECT_THROW(RowScores(row).top(2, best), Error);
    row[place] = kNoNumber;
    try {
      RowScores(row).top(2, best);
      for (const Candidate& candidate : best) EXPECT_NEAR(candidate.log_probability, -std::log(300), 0.01);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace gloss
