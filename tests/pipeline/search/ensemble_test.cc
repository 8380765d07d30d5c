// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/ensemble.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/brute_force.h"
#include "tests/support/found_in_batches.h"

namespace gloss {
namespace {

/// The reference for an ensemble of two tables: log of the weighted mean of their probabilities.
class MixedTables : public TableDecoder {
 public:
  MixedTables(const TableDecoder& a, const TableDecoder& b, double weight)
      : TableDecoder(a.vocabulary_size()), a_(a), b_(b), weight_(weight) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row;
    for (TokenId token = 0; token < vocabulary_size(); ++token) {
      const double a = std::exp(log_probability(a_, source, prefix, token));
      const double b = std::exp(log_probability(b_, source, prefix, token));
      row.push_back(static_cast<float>(std::log(weight_ * a + (1 - weight_) * b)));
    }
    return row;
  }

 private:
  const TableDecoder &a_, &b_;
  double weight_;
};

/// A table with the scores of TableDecoder, but those from token 3 on in reverse order.
class ReversedTable : public TableDecoder {
 public:
  using TableDecoder::TableDecoder;
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row = TableDecoder::scores(source, prefix);
    std::reverse(row.begin() + 3, row.end());
    return row;
  }
};

TEST(Ensemble, IsTheWeightedMeanOfProbabilities) {
  const TableDecoder a(12, 1);
  const ReversedTable b(12, 1);
  for (const double weight : {0.5, 0.8}) {
    const Ensemble ensemble({&a, &b}, {weight, 1 - weight});
    const MixedTables expected(a, b, weight);
    SearchSettings settings;
    settings.n_best = 3;
    settings.keep_attention = true;
    const TokenRows sources = random_sources(20, 7, 4);
    const auto found = search_all(ensemble, sources, settings),
               wanted = search_all(expected, sources, settings);
    for (std::size_t row = 0; row < found.size(); ++row) {
      ASSERT_EQ(found[row].size(), wanted[row].size());
      for (std::size_t i = 0; i < found[row].size(); ++i) {
        EXPECT_EQ(found[row][i].tokens, wanted[row][i].tokens);
        EXPECT_NEAR(found[row][i].log_probability, wanted[row][i].log_probability, 1e-4);
        ASSERT_EQ(found[row][i].attention.size(), wanted[row][i].attention.size());
        for (std::size_t w = 0; w < found[row][i].attention.size(); ++w) {
          EXPECT_NEAR(found[row][i].attention[w], wanted[row][i].attention[w], 1e-5);
        }
      }
    }
  }
}

TEST(Ensemble, ImpossibleTokensHaveFiniteLogProbabilities) {
  class Certain : public TableDecoder {
   public:
    using TableDecoder::TableDecoder;
    std::vector<float> scores(const Row&, const Row& prefix) const override {
      std::vector<float> row(index(vocabulary_size()), -1000.0f);
      row[prefix.size() < 4 ? 5u : 2u] = 0;
      return row;
    }
  };
  const Certain a(8), b(8);
  const Ensemble ensemble({&a, &b}, {0.5, 0.5});
  const auto found = search_all(ensemble, random_sources(1, 3, 1), {});
  EXPECT_EQ(found[0][0].tokens, (TableDecoder::Row{5, 5, 5}));
  EXPECT_NEAR(found[0][0].log_probability, 0, 1e-5);
}

TEST(Ensemble, MixesLogProbabilities) {
  const std::vector<double> weights{0.25, 0.75}, values{-1.0, -900.0};
  EXPECT_NEAR(mixed_log_probability(weights, values), -1 + std::log(0.25), 1e-12);
  const std::vector<double> same{-700.0, -700.0};
  EXPECT_NEAR(mixed_log_probability(weights, same), -700, 1e-9);
}

}  // namespace
}  // namespace gloss
