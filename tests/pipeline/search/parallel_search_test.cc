// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/parallel_search.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "tests/support/found_in_batches.h"
#include "tests/support/table_decoder.h"

namespace gloss {
namespace {

TEST(SearchBatches, ContainEveryRowOnceWithinTheLimits) {
  const TokenRows rows = random_sources(500, 60, 9);
  for (const int size : {1, 7, 64}) {
    for (const int tokens : {1, 100, 1000}) {
      std::vector<bool> seen(500);
      int longest = 1 << 20;
      for (const std::vector<int>& batch : search_batches(rows, {size, tokens}, 2)) {
        int sum = 0;
        for (const int row : batch) {
          EXPECT_FALSE(seen[index(row)]);
          seen[index(row)] = true;
          EXPECT_LE(rows.length(row), longest);
          longest = rows.length(row);
          sum += rows.length(row);
        }
        EXPECT_LE(batch.size(), index(size));
        EXPECT_TRUE(sum <= tokens || batch.size() == 1);
      }
      EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 500);
    }
  }
}

TEST(SearchBatches, GiveEveryWorkerItsShare) {
  EXPECT_EQ(search_batches(random_sources(40, 5, 1), {64, 1000}, 4).size(), 4u);
  EXPECT_EQ(search_batches(random_sources(3, 5, 1), {64, 1000}, 8).size(), 3u);
  EXPECT_TRUE(search_batches({}, {}, 2).empty());
}

TEST(BatchedSearch, ResultsDependOnNeitherBatchesNorThreads) {
  const TableDecoder decoder(30, 2);
  const TokenRows sources = random_sources(100, 12, 4);
  const SearchSettings settings;
  const auto expected = search_all(decoder, sources, settings);
  for (const int threads : {1, 2, 5}) {
    for (const int size : {1, 7, 64}) {
      int done = 0;
      const auto found =
          found_in_batches(decoder, sources, settings, {size, 100}, threads, [&](int rows) { done += rows; });
      EXPECT_EQ(done, 100);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t row = 0; row < found.size(); ++row) {
        EXPECT_EQ(found[row].front().tokens, expected[row].front().tokens);
        EXPECT_EQ(found[row].front().score, expected[row].front().score);
      }
    }
  }
}

TEST(BatchedSearch, BatchesAreRefilled) {
  const TokenRows sources = random_sources(200, 12, 6);
  const SearchBatchSettings batches{8, 10'000};
  const SearchSettings settings;
  TableDecoder apart(30, 2), together(30, 2);
  for (const std::vector<int>& batch : search_batches(sources, batches, 1)) {
    TokenRows rows;
    for (const int row : batch) rows.add(sources.row(row));
    search_all(apart, rows, settings);
  }
  found_in_batches(together, sources, settings, batches, 1);
  EXPECT_EQ(together.rows_stepped, apart.rows_stepped);
  EXPECT_LT(together.steps, 0.95 * apart.steps) << "waiting rows take the places of those that ended";
}

TEST(BatchedSearch, TheHypothesesOfABatchAreBounded) {
  const TokenRows sources = random_sources(40, 6, 6);
  for (const bool sample : {false, true}) {
    SearchSettings settings;
    settings.sampling.sample = sample;
    settings.n_best = sample ? 100 : 1;
    settings.beam_size = 100;
    const TableDecoder decoder(120, 2);
    const auto found = found_in_batches(decoder, sources, settings, {64, 10'000}, 1);
    EXPECT_LE(decoder.most_rows, 1024);
    EXPECT_GT(decoder.most_rows, 200);
    const auto expected = search_all(decoder, sources, settings);
    for (std::size_t row = 0; row < found.size(); ++row) {
      EXPECT_EQ(found[row].front().tokens, expected[row].front().tokens);
    }
  }
}

TEST(BatchedSearch, ResultsArriveWhileOtherRowsAreSearched) {
  const TokenRows sources = random_sources(40, 12, 6);
  const TableDecoder decoder(30, 2);
  int first_at = 0;
  const auto take = [&](int, const std::vector<Hypothesis>&) {
    if (first_at == 0) first_at = decoder.steps;
  };
  search_in_batches(decoder, sources, {}, {}, {4, 100}, 1, take, [](int) {});
  EXPECT_GT(first_at, 0);
  EXPECT_LT(2 * first_at, decoder.steps);
}

TEST(BatchedSearch, NoRowsGiveNoResults) {
  EXPECT_TRUE(found_in_batches(TableDecoder(30), TokenRows(), {}, {8, 100}, 2).empty());
}

TEST(BatchedSearch, WorkerErrorsAreRethrown) {
  class Failing : public TableDecoder {
   public:
    Failing() : TableDecoder(10) {}
    std::vector<float> scores(const Row&, const Row&) const override {
      return std::vector<float>(10, std::numeric_limits<float>::quiet_NaN());
    }
  };
  EXPECT_THROW(found_in_batches(Failing(), random_sources(20, 5, 1), {}, {1, 10}, 3), Error);
}

}  // namespace
}  // namespace gloss
