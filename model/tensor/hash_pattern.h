// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "model/tensor/attention_pattern.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Hashing of the rows of a sentence, of each head in each round, into buckets by directions (angular
/// locality-sensitive hashing, Andoni et al. 2015). A row is in bucket argmax of its products with some
/// directions and their opposites. Many buckets are products of two such hashes.
class HashDirections {
 public:
  /// The largest number of rows that is hashed, the number of rows of a chunk, and so on.
  struct Sizes {
    std::int64_t most_rows, chunk, rounds;
    int heads;
    std::int64_t head_width;
  };
  HashDirections(const Sizes&, std::uint64_t seed);

  const Sizes& sizes() const { return sizes_; }
  /// How many numbers directions of these sizes have.
  static std::int64_t count(const Sizes&);
  /// The buckets of a head's rows in a round.
  void hash(const Tensor& queries, const AttentionSpan&, int head, std::int64_t round,
            std::span<std::int32_t> buckets) const;

 private:
  /// The directions of both hashes of a sentence.
  struct Counts {
    std::int64_t first, second;  ///< half the numbers of buckets; the second may be 0
  };
  static Counts counts(const Sizes&, std::int64_t rows);

  Sizes sizes_;
  std::int64_t per_round_;
  std::vector<float> numbers_;  // [heads, rounds, directions, head width]
};

/// The pattern of attention by hashing (Reformer, Kitaev et al. 2020) for the queries of a packed batch, the
/// first columns of `queries`. In each round, the rows are sorted by bucket and cut into chunks; a row sees
/// the rows of its bucket in its own chunk and those beside it, and itself only if it sees no other row.
/// Sentences of at most three chunks are seen completely.
class HashPattern : public AttentionPattern {
 public:
  HashPattern(const HashDirections&, const Tensor& queries, const std::vector<AttentionSpan>& spans);
  BlockLayout layout(std::int64_t span, std::int64_t rows, int head) const override;
  std::int64_t rounds() const override { return rounds_; }

 private:
  struct Sorted {
    std::vector<std::int32_t> order, labels;
  };
  static Sorted sorted(const HashDirections&, const Tensor& queries, const AttentionSpan&, int head);

  std::int64_t chunk_, rounds_;
  int heads_;
  std::vector<Sorted> sorted_;  // [spans, heads]
};

}  // namespace gloss
