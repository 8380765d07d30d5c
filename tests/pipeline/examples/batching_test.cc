// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/batching.h"
#include "base/error.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gloss {
namespace {

Corpus random_corpus(std::size_t pairs) {
  Random random(3);
  Corpus corpus;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::vector<TokenId> source(1 + random.below(30), static_cast<TokenId>(i));
    const std::vector<TokenId> target(1 + random.below(30), static_cast<TokenId>(i));
    corpus.add(source, target);
  }
  return corpus;
}

std::vector<std::vector<PairIndex>> batches_of(const Corpus& corpus, int budget, Random random) {
  const EpochBatches batches(corpus, budget, random);
  std::vector<std::vector<PairIndex>> all;
  for (std::int64_t i = 0; i < batches.size(); ++i) {
    const std::span<const PairIndex> batch = batches.batch(i);
    all.emplace_back(batch.begin(), batch.end());
  }
  return all;
}

int cost_of(const Corpus& corpus, std::span<const PairIndex> pairs) {
  int cost = 0;
  for (const PairIndex pair : pairs) cost += pair_cost(corpus, pair);
  return cost;
}

TEST(EpochBatches, HoldEveryPairOnceWithinTheBudget) {
  const Corpus corpus = random_corpus(1000);
  std::vector<PairIndex> seen;
  for (const auto& batch : batches_of(corpus, 200, Random(1))) {
    ASSERT_FALSE(batch.empty());
    EXPECT_LE(cost_of(corpus, batch), 200);
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  std::sort(seen.begin(), seen.end());
  std::vector<PairIndex> all(1000);
  std::iota(all.begin(), all.end(), PairIndex{0});
  EXPECT_EQ(seen, all);
}

TEST(EpochBatches, AreFullAndOfSimilarLength) {
  const Corpus corpus = random_corpus(1000);
  const auto batches = batches_of(corpus, 200, Random(1));
  int total = 0;
  for (const auto& batch : batches) {
    total += cost_of(corpus, batch);
    const auto [shortest, longest] = std::minmax_element(
        batch.begin(), batch.end(),
        [&](PairIndex a, PairIndex b) { return corpus.target(a).size() < corpus.target(b).size(); });
    EXPECT_LE(corpus.target(*longest).size(), corpus.target(*shortest).size() + 3);
  }
  EXPECT_LE(batches.size(), index(total / 170));
}

TEST(EpochBatches, DependOnTheirRandomStreamOnly) {
  const Corpus corpus = random_corpus(300);
  EXPECT_EQ(batches_of(corpus, 100, Random(1)), batches_of(corpus, 100, Random(1)));
  EXPECT_NE(batches_of(corpus, 100, Random(1)), batches_of(corpus, 100, Random(2)));
}

TEST(EpochBatches, GiveAPairLongerThanTheBudgetABatchOfItsOwn) {
  Corpus corpus;
  const std::vector<TokenId> lengthy(50, 1), brief(3, 1);
  corpus.add(brief, lengthy);
  corpus.add(brief, brief);
  const auto batches = batches_of(corpus, 10, Random(1));
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].size(), 1u);
}

TEST(BatchesOf, RiseEvenlyFromOneDuringTheRamp) {
  BatchSettings settings{.accumulation = 4, .accumulation_ramp = 9};
  std::vector<int> batches;
  for (std::int64_t update = 1; update <= 11; ++update) batches.push_back(batches_of(settings, update));
  EXPECT_EQ(batches, (std::vector<int>{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4}));
  settings.accumulation_ramp = 0;
  EXPECT_EQ(batches_of(settings, 1), 4);
  settings = {.accumulation = 23, .accumulation_ramp = 22};
  for (int update = 1; update <= 22; ++update) EXPECT_EQ(batches_of(settings, update), update);
}

TEST(BatchesOf, AddUpToBatchesUntil) {
  for (const BatchSettings& settings : {BatchSettings{}, BatchSettings{.accumulation = 3},
                                        BatchSettings{.accumulation = 4, .accumulation_ramp = 9},
                                        BatchSettings{.accumulation = 23, .accumulation_ramp = 22},
                                        BatchSettings{.accumulation = 6, .accumulation_ramp = 1000}}) {
    double sum = 0;
    EXPECT_EQ(batches_until(settings, 0), 0);
    for (std::int64_t update = 1; update <= 1500; ++update) {
      sum += batches_of(settings, update);
      EXPECT_NEAR(batches_until(settings, static_cast<double>(update)), sum, 1e-6)
          << settings.accumulation << " batches after " << settings.accumulation_ramp << ", update "
          << update;
    }
  }
}

TEST(BatchesOf, RefuseARampThatCannotRise) {
  EXPECT_THROW(check(BatchSettings{.accumulation = 1, .accumulation_ramp = 5}), UsageError);
  EXPECT_NO_THROW(check(BatchSettings{.accumulation = 2, .accumulation_ramp = 5}));
}

TEST(CutIntoShards, KeepsOrderAndBalance) {
  const Corpus corpus = random_corpus(200);
  std::vector<PairIndex> pairs(200);
  std::iota(pairs.begin(), pairs.end(), PairIndex{0});
  for (const int shards : {1, 2, 3, 7}) {
    std::vector<PairIndex> joined;
    const int total = cost_of(corpus, pairs);
    const auto parts = cut_into_shards(corpus, pairs, shards);
    ASSERT_EQ(parts.size(), index(shards));
    for (const auto& part : parts) {
      EXPECT_NEAR(cost_of(corpus, part), static_cast<double>(total) / shards, 31);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, pairs);
  }
}

TEST(CutIntoShards, LeavesShardsEmptyWhereThereAreFewerPairs) {
  const Corpus corpus = random_corpus(2);
  const std::vector<PairIndex> pairs{0, 1};
  const auto parts = cut_into_shards(corpus, pairs, 4);
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  EXPECT_EQ(parts.size(), 4u);
  EXPECT_EQ(count, 2u);
}

TEST(Gather, CopiesThePairsInTheirOrder) {
  Corpus corpus;
  corpus.add(std::vector<TokenId>{5, 2}, std::vector<TokenId>{6, 7, 2});
  corpus.add(std::vector<TokenId>{8, 9, 2}, std::vector<TokenId>{2});
  const Batch batch = gather(corpus, std::vector<PairIndex>{1, 0});
  EXPECT_EQ(batch.source.tokens, (std::vector<TokenId>{8, 9, 2, 5, 2}));
  EXPECT_EQ(batch.source.starts, (std::vector<int>{0, 3, 5}));
  EXPECT_EQ(batch.target.tokens, (std::vector<TokenId>{2, 6, 7, 2}));
  EXPECT_EQ(batch.target.starts, (std::vector<int>{0, 1, 4}));
  EXPECT_TRUE(batch.weights.empty());
}

TEST(UpdateBatches, GatherShardsWithTheirWeights) {
  auto corpus = std::make_shared<Corpus>();
  for (const float weight : {1.0f, 2.0f, 0.5f}) {
    corpus->add(std::vector<TokenId>{5, 2}, std::vector<TokenId>{6, 2}, weight);
  }
  const auto pairs = std::make_shared<const std::vector<PairIndex>>(std::vector<PairIndex>{2, 0, 1});
  UpdateBatches update(4);
  update.add(*corpus, *pairs, std::make_shared<std::pair<decltype(corpus), decltype(pairs)>>(corpus, pairs));
  update.add(*corpus, std::span(*pairs).first(1), nullptr);
  ASSERT_EQ(update.size(), 2);
  std::vector<float> weights;
  int rows = 0, alone = 0;
  for (int shard = 0; shard < update.shards(); ++shard) {
    const Batch batch = update.gather(0, shard);
    weights.insert(weights.end(), batch.weights.begin(), batch.weights.end());
    rows += batch.target.rows();
    alone += update.gather(1, shard).source.rows();
  }
  EXPECT_EQ(weights, (std::vector<float>{0.5f, 1, 2}));
  EXPECT_EQ(rows, 3);
  EXPECT_EQ(alone, 1);
}

}  // namespace
}  // namespace gloss
