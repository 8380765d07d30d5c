// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/gradient_sum.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "base/error.h"
#include "base/random.h"

namespace gloss {
namespace {

constexpr std::size_t kGradientSize = 1000, kBucket = 100;

/// Remembers what it was to sum, with the numbers at that moment.
class HeardRanks : public SingleRank {
 public:
  void start_sum(std::span<float> values) override {
    EXPECT_FALSE(finished);
    starts.push_back(values.data());
    numbers.insert(numbers.begin(), values.begin(), values.end());
  }
  void finish_sums() override { finished = true; }
  std::vector<const float*> starts;
  std::vector<float> numbers;
  bool finished = false;
};

struct GradientSumTest : testing::Test {
  GradientSumTest() {
    Random random(3);
    for (std::vector<float>& shard : shards) {
      for (float& value : shard) value = static_cast<float>(random.normal());
    }
    for (std::size_t i = 0; i < kGradientSize; ++i)
      expected[i] = (shards[0][i] + shards[1][i]) + shards[2][i];
  }
  std::span<const float> part(std::size_t shard, std::size_t begin, std::size_t end) {
    return std::span(shards[shard]).subspan(begin, end - begin);
  }

  std::vector<std::vector<float>> shards{3, std::vector<float>(kGradientSize)};
  std::vector<float> expected = std::vector<float>(kGradientSize);
  HeardRanks ranks;
  GradientSum sum{{shards.begin(), shards.end()}, ranks, kBucket};
};

TEST_F(GradientSumTest, AddsShardsInOrderAndSendsBucketsFromTheEndInOrder) {
  for (int update = 0; update < 2; ++update) {
    sum.begin();
    std::vector<std::thread> threads;
    for (const std::size_t shard : {2, 0, 1}) {
      threads.emplace_back([this, shard] {
        // Parts across the borders of buckets, in an order of its own.
        for (std::size_t i = 0; i < 20; ++i) {
          const std::size_t at = (i * (shard == 0 ? 3 : shard == 1 ? 7 : 9) + shard) % 20;
          if (at != 7) sum.finish_part(shard, part(shard, at * 50, (at + 1) * 50));
        }
        sum.finish_shard(shard);
      });
    }
    for (std::thread& thread : threads) thread.join();
    sum.finish();
    EXPECT_TRUE(ranks.finished);
    EXPECT_EQ(ranks.numbers, expected);
    ASSERT_EQ(ranks.starts.size(), kGradientSize / kBucket);
    for (std::size_t i = 0; i < ranks.starts.size(); ++i) {
      EXPECT_EQ(ranks.starts[i], shards[0].data() + kGradientSize - (i + 1) * kBucket);
    }
    ranks = {};
    for (std::size_t i = 0; i < kGradientSize; ++i)
      expected[i] = (shards[0][i] + shards[1][i]) + shards[2][i];
  }
}

TEST_F(GradientSumTest, SendsABucketAsSoonAsItAndThoseBehindItAreWhole) {
  sum.begin();
  for (const std::size_t shard : {0, 1}) sum.finish_shard(shard);
  sum.finish_part(2, part(2, 700, 900));
  EXPECT_EQ(ranks.starts.size(), 0u);
  sum.finish_part(2, part(2, 900, 1000));
  EXPECT_EQ(ranks.starts.size(), 3u);
  sum.finish_part(2, part(2, 0, 650));
  EXPECT_EQ(ranks.starts.size(), 3u);
  sum.finish_shard(2);
  EXPECT_EQ(ranks.starts.size(), 10u);
}

TEST_F(GradientSumTest, NoticesBrokenPromises) {
  sum.begin();
  sum.finish_part(1, part(1, 0, 30));
  EXPECT_THROW(sum.finish_part(1, part(1, 0, 80)), BrokenPromise);
  EXPECT_THROW(sum.finish(), BrokenPromise);
}

}  // namespace
}  // namespace gloss
