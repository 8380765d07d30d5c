// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/lexical_table.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "pipeline/alignment/generation_model.h"

namespace gloss {
namespace {

using Lines = std::vector<std::vector<TokenId>>;

TokenPairs pairs_of(const Lines& source, const Lines& target) {
  TokenPairs pairs;
  for (std::size_t i = 0; i < source.size(); ++i) pairs.add(source[i], target[i]);
  return pairs;
}

LexicalTable learned(const TokenPairs& pairs, int vocabulary, int iterations, int threads) {
  return ibm_model_1({pairs.source, pairs.target}, vocabulary, iterations, threads);
}

/// Lines in which source token s is translated by token 100 + s, in another order, and token 99 is added to
/// each.
struct SomeLines {
  Lines source, target;

  SomeLines() {
    Random random(3);
    for (int line = 0; line < 9000; ++line) {
      std::vector<TokenId> from, to{99};
      for (int i = 0; i < 6; ++i) from.push_back(static_cast<TokenId>(random.below(20)));
      for (const TokenId token : from) to.push_back(100 + token);
      random.shuffle(to);
      source.push_back(from);
      target.push_back(to);
    }
  }
};

TEST(LexicalTable, FindsTranslations) {
  const SomeLines lines;
  const TokenPairs pairs = pairs_of(lines.source, lines.target);
  const LexicalTable table = learned(pairs, 30, 5, 1);
  for (TokenId token = 0; token < 20; ++token) {
    const auto best = table.best(token, 3);
    ASSERT_FALSE(best.empty());
    EXPECT_EQ(best.front().target, 100 + token);
    EXPECT_GT(best.front().probability, 0.7f);
    EXPECT_LE(best.size(), 3u);
  }
  EXPECT_TRUE(table.best(25, 3).empty()) << "it appears nowhere";
}

TEST(LexicalTable, DependsNeitherOnThreadsNorOnTheOrderOfPairs) {
  SomeLines lines;
  const LexicalTable one = learned(pairs_of(lines.source, lines.target), 30, 4, 1);
  Random(8).shuffle(lines.source);
  Random(8).shuffle(lines.target);
  const LexicalTable other = learned(pairs_of(lines.source, lines.target), 30, 4, 3);
  for (TokenId token = 0; token < 20; ++token) {
    const auto a = one.best(token, 100), b = other.best(token, 100);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].target, b[i].target);
      EXPECT_EQ(a[i].probability, b[i].probability);
    }
  }
}

TEST(LexicalTable, AllTranslationsAreEquallyProbableAtFirst) {
  const TokenPairs pairs = pairs_of({{0, 1, 0}, {1}, {}}, {{5, 6, 5}, {7}, {8}});
  const LexicalTable table({pairs.source, pairs.target}, 3, 2);
  EXPECT_EQ(table.probability(table.place(0, 5)), 0.5f);
  EXPECT_EQ(table.probability(table.place(0, 6)), 0.5f);
  EXPECT_EQ(table.probability(table.place(1, 7)), 1.0f / 3);
  EXPECT_EQ(table.probability(table.place(table.none(), 8)), 0.25f) << "the null token meets all targets";
  EXPECT_EQ(table.best(0, 9).size(), 2u);
  EXPECT_TRUE(table.best(2, 9).empty());
}

TEST(LexicalTable, ProbabilitiesAreTheSharesOfCounts) {
  const TokenPairs pairs = pairs_of({{0}}, {{5, 6, 7}});
  LexicalTable table({pairs.source, pairs.target}, 1, 1);
  table.count(table.place(0, 5), 0.75f);
  table.count(table.place(0, 6), 0.5f);
  table.count(table.place(0, 6), 0.25f);
  table.renew(2);
  EXPECT_EQ(table.probability(table.place(0, 5)), 0.5f);
  EXPECT_EQ(table.probability(table.place(0, 6)), 0.5f);
  EXPECT_EQ(table.probability(table.place(0, 7)), 0.0f);
  table.count(table.place(0, 7), 1.0f);
  table.renew(1);
  EXPECT_EQ(table.probability(table.place(0, 7)), 1.0f) << "counts start from 0 again";
}

}  // namespace
}  // namespace gloss
