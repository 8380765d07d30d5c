// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/hash_pattern.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "base/random.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kHashing("hashing of queries");

constexpr std::int64_t kSeenChunks = 3;       // the own one and those beside it
constexpr std::int64_t kMostDirections = 32;  // of the first hash

/// The bucket of a row: that of the largest product, the opposite directions after the directions.
std::int32_t bucket_of(std::span<const float> row, const float* directions, std::int64_t count) {
  std::int32_t best = 0;
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i, directions += row.size()) {
    const float product = std::inner_product(row.begin(), row.end(), directions, 0.0f);
    const float size = product < 0 ? -product : product;
    if (size <= largest) continue;
    largest = size;
    best = static_cast<std::int32_t>(product < 0 ? i + count : i);
  }
  return best;
}

}  // namespace

HashDirections::Counts HashDirections::counts(const Sizes& sizes, std::int64_t rows) {
  // Two buckets for each chunk, so that a chunk holds more than a bucket of average size.
  const std::int64_t half = ceil_div(rows, sizes.chunk);
  if (half <= kMostDirections) return {half, 0};
  const auto balanced = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(half) / 2)));
  const std::int64_t first = std::max(kMostDirections, balanced);
  return {first, ceil_div(half, 2 * first)};
}

std::int64_t HashDirections::count(const Sizes& sizes) {
  const Counts all = counts(sizes, sizes.most_rows);
  return sizes.heads * sizes.rounds * (all.first + all.second) * sizes.head_width;
}

HashDirections::HashDirections(const Sizes& sizes, std::uint64_t seed)
    : sizes_(sizes), per_round_(count(sizes) / (sizes.heads * sizes.rounds)) {
  numbers_.reserve(index(count(sizes)));
  for (int head = 0; head < sizes.heads; ++head) {
    for (std::int64_t round = 0; round < sizes.rounds; ++round) {
      Random random = Random(seed).derive(static_cast<std::uint64_t>(head)).derive(index(round));
      for (std::int64_t i = 0; i < per_round_; ++i) numbers_.push_back(static_cast<float>(random.normal()));
    }
  }
}

void HashDirections::hash(const Tensor& queries, const AttentionSpan& span, int head, std::int64_t round,
                          std::span<std::int32_t> buckets) const {
  const Counts of = counts(sizes_, std::ssize(buckets));
  const float* const first = numbers_.data() + (head * sizes_.rounds + round) * per_round_;
  const float* const second = first + of.first * sizes_.head_width;
  std::vector<float> row(index(sizes_.head_width));
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const std::int64_t at =
        (span.query_start + static_cast<std::int64_t>(i)) * queries.columns() + head * sizes_.head_width;
    if (queries.dtype() == DType::f32) {
      std::copy_n(queries.data() + at, row.size(), row.begin());
    } else {
      kernels().widen(queries.data_as<Bf16>() + at, row.data(), sizes_.head_width);
    }
    buckets[i] = bucket_of(row, first, of.first);
    if (of.second > 0)
      buckets[i] += static_cast<std::int32_t>(2 * of.first) * bucket_of(row, second, of.second);
  }
}

HashPattern::Sorted HashPattern::sorted(const HashDirections& directions, const Tensor& queries,
                                        const AttentionSpan& span, int head) {
  Sorted all;
  std::vector<std::int32_t> buckets(index(span.query_count)), order(buckets.size());
  for (std::int64_t round = 0; round < directions.sizes().rounds; ++round) {
    directions.hash(queries, span, head, round, buckets);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t row) { return buckets[index(row)]; });
    all.order.insert(all.order.end(), order.begin(), order.end());
    for (const std::int32_t row : order) all.labels.push_back(buckets[index(row)]);
  }
  return all;
}

HashPattern::HashPattern(const HashDirections& directions, const Tensor& queries,
                         const std::vector<AttentionSpan>& spans)
    : chunk_(directions.sizes().chunk),
      rounds_(directions.sizes().rounds),
      heads_(directions.sizes().heads),
      sorted_(spans.size() * index(directions.sizes().heads)) {
  const ProfiledTime time(kHashing, 0, queries.bytes());
  parallel_ranges(std::ssize(sorted_), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const AttentionSpan& span = spans[index(i / heads_)];
      if (ceil_div(std::int64_t{span.query_count}, chunk_) <= kSeenChunks) continue;
      sorted_[index(i)] = sorted(directions, queries, span, static_cast<int>(i % heads_));
    }
  });
}

BlockLayout HashPattern::layout(std::int64_t span, std::int64_t rows, int head) const {
  BlockLayout layout;
  layout.avoids_self = true;
  const std::int64_t chunks = ceil_div(rows, chunk_);
  if (chunks <= kSeenChunks) {
    layout.see_all(rows);
    return layout;
  }
  layout.block = chunk_;
  layout.starts = {0};
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    layout.ranges.push_back({static_cast<std::int32_t>(std::max<std::int64_t>(0, chunk - 1) * chunk_),
                             static_cast<std::int32_t>(std::min(rows, (chunk + 2) * chunk_))});
    layout.starts.push_back(static_cast<std::int32_t>(chunk + 1));
  }
  const Sorted& sorted = sorted_[index(span * heads_ + head)];
  layout.rounds = rounds_;
  layout.order = sorted.order;
  layout.labels = sorted.labels;
  return layout;
}

}  // namespace gloss
