#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/ranks.h"

namespace gloss {

/// Adds up the gradients of all shards of all ranks while they are still being computed: a bucket (a part of
/// the flat array) is summed over the shards, in their order, by the thread that is the last to finish it,
/// and then over the ranks in the background. The sum is in the array of the first shard.
class GradientSum {
 public:
  /// Each shard has an array, all of one size.
  GradientSum(std::vector<std::span<float>> shards, Ranks& ranks,
              std::size_t bucket_size = std::size_t{1} << 20);

  /// Begins with the gradients of another update.
  void begin();
  /// Nothing more will be added to `part` of the shard's array. Comes from the thread that computes the
  /// shard; no number may be finished twice.
  void finish_part(std::size_t shard, std::span<const float> part);
  /// The same for all of the shard's numbers that are not finished yet.
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
  std::size_t started_ = 0;  // buckets on their way over the ranks, which all start them in this order
};

}  // namespace gloss
