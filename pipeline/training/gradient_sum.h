// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/ranks.h"

namespace gloss {

/// Sums the gradients of all shards of all ranks while they are still being computed: the last thread to
/// finish a bucket (a part of the flat array) sums it over the shards, in their order, and then starts its
/// sum over the ranks in the background. The sum is in the array of the first shard.
class GradientSum {
 public:
  /// `shards`: one array for each shard, all of the same size.
  GradientSum(std::vector<std::span<float>> shards, Ranks& ranks,
              std::size_t bucket_size = std::size_t{1} << 20);

  /// Starts the gradients of the next update.
  void begin();
  /// Marks `part` of the shard's array as complete. Called by the thread that computes the shard; no number
  /// may be finished twice.
  void finish_part(std::size_t shard, std::span<const float> part);
  /// Marks all remaining numbers of the shard as complete.
  void finish_shard(std::size_t shard);
  /// Waits for the sum; all shards must be finished.
  void finish();

  std::span<float> sum() const { return shards_.front(); }

 private:
  struct Bucket {
    std::size_t begin, end;
    std::vector<std::size_t> unfinished;  // numbers of each shard
    std::atomic<std::size_t> shards_left{0};
    bool added = false;  // over the shards; guarded
  };
  void count_down(std::size_t shard, Bucket& bucket, std::size_t numbers);
  void add_shards(Bucket& bucket);

  std::vector<std::span<float>> shards_;
  Ranks& ranks_;
  std::vector<std::unique_ptr<Bucket>> buckets_;  // from the end of the array to its start
  std::mutex guard_;
  std::size_t started_ = 0;  // buckets whose sum over the ranks has started; all ranks use this order
};

}  // namespace gloss
