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

inline std::int64_t place_of(const DistanceScores& distances, std::int64_t query, std::int64_t key) {
  const std::int64_t place = key - query + distances.reach, last = 2 * distances.reach;
  return place < 0 ? 0 : place > last ? last : place;
}

/// Adds the distance scores to the scores of keys from .. seen - 1 of a query, which are not yet multiplied
/// by `scale`. scores[j] is that of key j.
inline void add_distances(const DistanceScores& distances, float* scores, std::int64_t query,
                          std::int64_t from, std::int64_t seen, float scale) {
  if (distances.numbers == nullptr) return;
  const float factor = 1.0f / scale;
  for (std::int64_t j = from; j < seen; ++j) {
    scores[j] += distances.numbers[place_of(distances, query, j)] * factor;
  }
}

/// Turns scores into weights in place; weights from `seen` on are 0.
inline SoftmaxSum softmax_row(float* scores, std::int64_t seen, std::int64_t columns, float scale) {
  const Integers lane = counting();
  Vector high = all(-3.0e38f);
  for (std::int64_t j = 0; j < seen; j += kLanes) {
    const Integers inside = lane + static_cast<std::int32_t>(j) < static_cast<std::int32_t>(seen);
    const Vector s = inside ? load(scores + j) * scale : all(-3.0e38f);
    store(scores + j, s);
    high = larger(high, s);
  }
  const float top = largest(high);
  Vector sums{};
  for (std::int64_t j = 0; j < seen; j += kLanes) {
    const Vector e = exponential(load(scores + j) - top);
    store(scores + j, e);
    sums += e;
  }
  const float total = sum(sums), share = 1.0f / total;
  std::int64_t j = 0;
  for (; j < seen; j += kLanes) store(scores + j, load(scores + j) * share);
  for (; j < columns; j += kLanes) store(scores + j, Vector{});
  return {top, total};
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS
