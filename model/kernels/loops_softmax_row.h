// SPDX-License-Identifier: Apache-2.0

#pragma once

// The softmax of a query's scores, for the files loops_*.cc.

#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// The sum of exp(scale * score) over a row is total * exp(top).
struct SoftmaxSum {
  float top, total;
  float log() const { return top + __builtin_logf(total); }
};

inline std::int64_t place_of(const DistanceScores& distances, std::int64_t distance) {
  const std::int64_t place = distance + distances.reach, last = 2 * distances.reach;
  return place < 0 ? 0 : place > last ? last : place;
}

/// Calls use(key, place) for the keys from .. to - 1 of a query, with their places among the scores.
template <class Use>
inline void each_place(const DistanceScores& distances, std::int64_t query, std::int64_t from,
                       std::int64_t to, const Use& use) {
  const std::int64_t columns = distances.columns;
  if (columns == 0) {
    for (std::int64_t j = from; j < to; ++j) use(j, place_of(distances, j - query));
    return;
  }
  const auto spread = [columns](std::int64_t key) { return key + key / columns * (columns - 1); };
  const std::int64_t own = spread(query);
  for (std::int64_t j = from; j < to;) {
    const std::int64_t row_end = (j / columns + 1) * columns, end = row_end < to ? row_end : to;
    for (std::int64_t distance = spread(j) - own; j < end; ++j, ++distance)
      use(j, place_of(distances, distance));
  }
}

/// Adds the distance scores to the scores of keys from .. seen - 1 of a query, which are not yet multiplied
/// by `scale`. scores[j] is that of key j.
inline void add_distances(const DistanceScores& distances, float* scores, std::int64_t query,
                          std::int64_t from, std::int64_t seen, float scale) {
  if (distances.numbers == nullptr) return;
  const float factor = 1.0f / scale;
  each_place(distances, query, from, seen, [&](std::int64_t key, std::int64_t place) {
    scores[key] = fused(distances.numbers[place], factor, scores[key]);
  });
}

/// Turns scores into weights in place; weights from `seen` on are 0.
inline SoftmaxSum softmax_row(float* scores, std::int64_t seen, std::int64_t columns, float scale) {
  const Integers lane = counting();
  Vector high = all(-3.0e38f);
  for (std::int64_t j = 0; j < seen; j += kLanes) {
    const Integers inside = lane + static_cast<std::int32_t>(j) < static_cast<std::int32_t>(seen);
    const Vector s = chosen(inside, load(scores + j) * scale, all(-3.0e38f));
    store(scores + j, s);
    high = larger(high, s);
  }
  const float top = largest(high);
  const float total = sum_over(seen, [&](std::int64_t j, std::int64_t) {
    const Vector e = exponential(load(scores + j) - top);
    store(scores + j, e);
    return e;
  });
  const float share = 1.0f / total;
  std::int64_t j = 0;
  for (; j < seen; j += kLanes) store(scores + j, load(scores + j) * share);
  for (; j < columns; j += kLanes) store(scores + j, Vector{});
  return {top, total};
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS
