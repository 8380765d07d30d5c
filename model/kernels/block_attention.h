// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// Which keys the queries of an AttentionHead see in sparse attention, whose time and memory are proportional
// to the pairs that see each other. Queries and keys are the same rows of a sentence. Queries of a causal
// head do not see the later keys of their ranges; such a head has no order of rows.

namespace gloss {

/// The keys first .. last - 1.
struct KeyRange {
  std::int32_t first, last;
};

/// Blocks of queries, each with the ranges of keys that its queries see. A sentence may be attended to in
/// several rounds, each with an order of its own: a row then sees what it sees in all rounds, and twice what
/// it sees twice.
struct BlockedKeys {
  /// Subtracted from the score of a query and its own key if it avoids itself: it has no weight then unless
  /// it sees no other key.
  static constexpr float kSelfPenalty = 1e3f;

  std::int64_t block;          ///< queries of a block; the last one may have fewer
  const KeyRange* ranges;      ///< of the first block, then of the next; in order and without overlap
  const std::int32_t* starts;  ///< [blocks + 1]: block b has ranges starts[b] .. starts[b + 1] - 1
  std::int64_t rounds = 1;
  const std::int32_t* order = nullptr;  ///< [rounds, rows]: the row at each place; null: rows as they are
  /// [rounds, rows]: a query sees only keys with its label; both are those of places. Null: it sees all.
  const std::int32_t* labels = nullptr;
  bool avoids_self = false;
};

}  // namespace gloss
