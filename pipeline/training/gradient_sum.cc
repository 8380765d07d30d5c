// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/gradient_sum.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kAdd("gradients: sum over shards");

}  // namespace

GradientSum::GradientSum(std::vector<std::span<float>> shards, Ranks& ranks, std::size_t bucket_size)
    : shards_(std::move(shards)), ranks_(ranks) {
  expects(!shards_.empty(), "a gradient needs at least one shard");
  // A network uses its last parameters last, so their gradients are the first to be complete.
  for (std::size_t end = shards_.front().size(); end > 0;) {
    auto bucket = std::make_unique<Bucket>();
    bucket->end = end;
    end -= std::min(end, bucket_size);
    bucket->begin = end;
    buckets_.push_back(std::move(bucket));
  }
}

void GradientSum::begin() {
  for (const auto& bucket : buckets_) {
    bucket->unfinished.assign(shards_.size(), bucket->end - bucket->begin);
    bucket->shards_left = shards_.size();
    bucket->added = false;
  }
  started_ = 0;
}

void GradientSum::finish_part(std::size_t shard, std::span<const float> part) {
  const auto begin = index(part.data() - shards_[shard].data());
  const std::size_t end = begin + part.size();
  expects(end <= shards_[shard].size(), "the part is not in the gradients of shard ", shard);
  for (const auto& bucket : buckets_) {
    const std::size_t first = std::max(begin, bucket->begin), last = std::min(end, bucket->end);
    if (first < last) count_down(shard, *bucket, last - first);
  }
}

void GradientSum::finish_shard(std::size_t shard) {
  for (const auto& bucket : buckets_) count_down(shard, *bucket, bucket->unfinished[shard]);
}

void GradientSum::count_down(std::size_t shard, Bucket& bucket, std::size_t numbers) {
  std::size_t& unfinished = bucket.unfinished[shard];
  expects(numbers <= unfinished, "gradients of shard ", shard, " were finished twice");
  unfinished -= numbers;
  if (numbers > 0 && unfinished == 0 && --bucket.shards_left == 0) add_shards(bucket);
}

void GradientSum::add_shards(Bucket& bucket) {
  const std::size_t size = bucket.end - bucket.begin;
  const auto numbers = static_cast<std::int64_t>(size * (shards_.size() - 1));
  const ProfiledTime time(kAdd, numbers, 12 * numbers);
  for (std::size_t shard = 1; shard < shards_.size(); ++shard) {
    kernels().f32.add(sum().data() + bucket.begin, shards_[shard].data() + bucket.begin,
                      static_cast<std::int64_t>(size));
  }
  const std::lock_guard lock(guard_);
  bucket.added = true;
  for (; started_ < buckets_.size() && buckets_[started_]->added; ++started_) {
    const Bucket& next = *buckets_[started_];
    ranks_.start_sum(sum().subspan(next.begin, next.end - next.begin));
  }
}

void GradientSum::finish() {
  expects(started_ == buckets_.size(), "some shard of a gradient is not finished");
  ranks_.finish_sums();
}

}  // namespace gloss
