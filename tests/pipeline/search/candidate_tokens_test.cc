// SPDX-License-Identifier: Apache-2.0
// Rows whose translations are restricted to candidate tokens.
#include <gtest/gtest.h>

#include <cmath>

#include "base/index.h"
#include "pipeline/search/ensemble.h"
#include "tests/support/brute_force.h"
#include "tests/support/found_in_batches.h"

namespace gloss {
namespace {

/// A table in which only the tokens in `allowed` have a probability above zero.
class NarrowTable : public TableDecoder {
 public:
  NarrowTable(const TableDecoder& whole, std::vector<TokenId> allowed)
      : TableDecoder(whole.vocabulary_size()), whole_(whole), allowed_(std::move(allowed)) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    const std::vector<float> all = whole_.scores(source, prefix);
    std::vector<float> row(all.size(), -1e4f);
    for (const TokenId token : allowed_) {
      row[index(token)] = all[index(token)];
    }
    return row;
  }

 private:
  const TableDecoder& whole_;
  std::vector<TokenId> allowed_;
};

SearchInput with_candidates(const TokenRows& sources, const std::vector<TokenId>& allowed) {
  SearchInput rows(sources);
  const auto shared = std::make_shared<const std::vector<TokenId>>(allowed);
  for (int row = 0; row < sources.rows(); ++row) {
    RowDemands& demands = rows.demands.emplace_back();
    demands.number = static_cast<std::uint64_t>(row);
    demands.candidates = shared;
  }
  return rows;
}

void expect_same(const std::vector<std::vector<Hypothesis>>& found,
                 const std::vector<std::vector<Hypothesis>>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t row = 0; row < found.size(); ++row) {
    ASSERT_FALSE(found[row].empty());
    EXPECT_EQ(found[row].front().tokens, expected[row].front().tokens) << row;
    EXPECT_NEAR(found[row].front().score, expected[row].front().score, 1e-4) << row;
  }
}

TEST(SearchCandidates, SearchEqualsThatOfARestrictedVocabulary) {
  const TableDecoder whole(9);
  const std::vector<TokenId> allowed{0, 2, 4, 5, 8};
  const NarrowTable narrow(whole, allowed);
  const TokenRows sources = random_sources(25, 5, 3);
  for (const int beam : {1, 3, 9}) {  // fewer and more than the candidates
    for (const int repeated : {0, 2}) {
      SearchSettings settings;
      settings.beam_size = beam;
      settings.no_repeat_ngram = repeated;
      expect_same(search_all(whole, with_candidates(sources, allowed), settings),
                  search_all(narrow, sources, settings));
    }
  }
}

TEST(SearchCandidates, SamplingEqualsThatOfARestrictedVocabulary) {
  const TableDecoder whole(9);
  const NarrowTable narrow(whole, {0, 2, 4, 5, 8});
  const TokenRows sources = random_sources(25, 5, 3);
  SearchSettings settings;
  settings.sampling.sample = true;
  expect_same(search_all(whole, with_candidates(sources, {0, 2, 4, 5, 8}), settings),
              search_all(narrow, sources, settings));
}

TEST(SearchCandidates, EnsemblesAverageRestrictedProbabilities) {
  const TableDecoder a(9), b(9, 1);
  const std::vector<TokenId> allowed{0, 2, 3, 6};
  const NarrowTable narrow_a(a, allowed), narrow_b(b, allowed);
  const TokenRows sources = random_sources(25, 5, 3);
  const std::vector<double> weights{0.3, 0.7};
  expect_same(search_all(Ensemble({&a, &b}, weights), with_candidates(sources, allowed), {}),
              search_all(Ensemble({&narrow_a, &narrow_b}, weights), sources, {}));
}

TEST(SearchCandidates, OnlyTheEndTokenGivesAnEmptyTranslation) {
  const TokenRows sources = random_sources(3, 5, 3);
  for (const auto& found : search_all(TableDecoder(9), with_candidates(sources, {2}), {})) {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found.front().tokens.empty());
    EXPECT_EQ(found.front().log_probability, 0.0);
  }
}

}  // namespace
}  // namespace gloss
