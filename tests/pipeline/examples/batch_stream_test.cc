// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "tests/support/corpus_windows.h"

namespace gloss {
namespace {

/// Pairs whose tokens are their number, which identifies them.
Corpus numbered_corpus(std::size_t pairs) {
  Random random(3);
  Corpus corpus;
  for (std::size_t i = 0; i < pairs; ++i) {
    corpus.add(std::vector<TokenId>(1 + random.below(9), static_cast<TokenId>(i)),
               std::vector<TokenId>(1 + random.below(9), static_cast<TokenId>(i)));
  }
  return corpus;
}

/// The numbers of an update's pairs, in order.
std::vector<TokenId> pairs_of(const UpdateBatches& update) {
  std::vector<TokenId> pairs;
  for (int batch = 0; batch < update.size(); ++batch) {
    for (int shard = 0; shard < update.shards(); ++shard) {
      const Batch part = update.gather(batch, shard);
      for (int row = 0; row < part.target.rows(); ++row) pairs.push_back(part.target.row(row)[0]);
    }
  }
  return pairs;
}

struct BatchStreamTest : testing::Test {
  BatchSettings settings{.batch_tokens = 60, .accumulation = 2, .gradient_shards = 3};
  Corpus corpus = numbered_corpus(200);
};

TEST_F(BatchStreamTest, GivesEveryPairOnceInAnEpoch) {
  for (const std::size_t window : {200, 70, 1}) {
    CorpusWindows windows(corpus, window);
    BatchStream stream(windows, settings, 1);
    DataPosition position;
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
      std::map<TokenId, int> seen;
      while (position.epoch == epoch) {
        for (const TokenId pair : pairs_of(stream.next(position, 1))) ++seen[pair];
      }
      EXPECT_TRUE(position.starts_epoch());
      EXPECT_EQ(seen.size(), 200u);
      EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& pair) { return pair.second == 1; }));
    }
    EXPECT_GE(stream.waiting_seconds(), stream.first_waiting_seconds());
    EXPECT_GT(stream.first_waiting_seconds(), 0);
  }
}

TEST_F(BatchStreamTest, FillsUpdatesAcrossWindowsButNotAcrossEpochs) {
  CorpusWindows windows(corpus, 13);
  settings.accumulation = 7;
  BatchStream stream(windows, settings, 1);
  DataPosition position;
  while (position.epoch < 2) {
    const UpdateBatches update = stream.next(position, 1);
    EXPECT_LE(update.size(), 7);
    EXPECT_GE(update.size(), position.starts_epoch() ? 1 : 7);
  }
}

TEST_F(BatchStreamTest, TakesFewerBatchesDuringTheRamp) {
  CorpusWindows windows(corpus, 200);
  settings.accumulation = 3;
  settings.accumulation_ramp = 2;
  BatchStream stream(windows, settings, 1);
  DataPosition position;
  EXPECT_EQ(stream.next(position, 1).size(), 1);
  EXPECT_EQ(stream.next(position, 2).size(), 2);
  EXPECT_EQ(stream.next(position, 3).size(), 3);
}

TEST_F(BatchStreamTest, ContinuesFromAnyPosition) {
  CorpusWindows windows(corpus, 70);
  settings.accumulation = 5;
  settings.accumulation_ramp = 12;
  BatchStream whole(windows, settings, 1);
  std::vector<DataPosition> positions;
  std::vector<std::vector<TokenId>> updates;
  for (DataPosition position; position.epoch < 3;) {
    positions.push_back(position);
    updates.push_back(pairs_of(whole.next(position, std::ssize(positions))));
  }
  BatchStream anywhere(windows, settings, 1);
  // Backwards, forwards and in leaps, so that the window prepared ahead is seldom the requested one.
  for (std::size_t step = 0; step < 60; ++step) {
    const std::size_t i = step * 29 % positions.size();
    DataPosition position = positions[i];
    EXPECT_EQ(pairs_of(anywhere.next(position, static_cast<std::int64_t>(i) + 1)), updates[i]) << i;
  }
}

TEST_F(BatchStreamTest, DiffersByEpochAndSeed) {
  CorpusWindows windows(corpus, 200);
  BatchStream one(windows, settings, 1), two(windows, settings, 2);
  DataPosition first, other, later{1, 0, 0};
  const std::vector<TokenId> pairs = pairs_of(one.next(first, 1));
  EXPECT_NE(pairs_of(two.next(other, 1)), pairs);
  EXPECT_NE(pairs_of(one.next(later, 1)), pairs);
}

/// Windows of which only some have pairs, and a text that cannot be read after some position.
class GappyWindows : public WindowReader {
 public:
  std::int64_t windows() const override { return 5; }
  std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t number, std::stop_token) override {
    if (epoch == 2) throw InputError("text.en cannot be read");
    return std::make_shared<Corpus>(number == 1 || number == 2 ? numbered_corpus(30) : Corpus());
  }
};

TEST_F(BatchStreamTest, SkipsWindowsWithoutPairs) {
  GappyWindows windows;
  settings.accumulation = 1;
  settings.batch_tokens = 1000;
  BatchStream stream(windows, settings, 1);
  DataPosition position;
  EXPECT_EQ(pairs_of(stream.next(position, 1)).size(), 30u);
  EXPECT_EQ(position.window, 2);
  EXPECT_EQ(pairs_of(stream.next(position, 1)).size(), 30u);
  EXPECT_EQ(position.epoch, 1) << "no pair is left in the epoch";
  EXPECT_TRUE(position.starts_epoch());
}

/// Pairs in the first epoch and the fourth.
struct RarePairs : WindowReader {
  std::int64_t windows() const override { return 2; }
  std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t, std::stop_token) override {
    return std::make_shared<Corpus>(epoch % 3 == 0 ? numbered_corpus(30) : Corpus());
  }
};

TEST_F(BatchStreamTest, StopsAtTheEndOfEachEpochWithoutPairs) {
  RarePairs windows;
  settings.accumulation = 2;
  settings.batch_tokens = 1000;
  BatchStream stream(windows, settings, 1);
  DataPosition position;
  EXPECT_EQ(pairs_of(stream.next(position, 1)).size(), 60u);
  for (std::int64_t epoch = 1; epoch < 3; ++epoch) {
    EXPECT_EQ(position.epoch, epoch);
    EXPECT_TRUE(position.starts_epoch());
    EXPECT_EQ(stream.next(position, 1).size(), 0);
  }
  EXPECT_EQ(position.epoch, 3);
  EXPECT_EQ(pairs_of(stream.next(position, 1)).size(), 60u);
}

TEST_F(BatchStreamTest, PassesOnErrorsOfReading) {
  GappyWindows windows;
  BatchStream stream(windows, settings, 1);
  DataPosition position{2, 0, 0};
  EXPECT_THROW(stream.next(position, 1), InputError);
  EXPECT_THROW(stream.next(position, 1), InputError);
}

}  // namespace
}  // namespace gloss
