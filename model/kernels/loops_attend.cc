// SPDX-License-Identifier: Apache-2.0
// Attention during decoding: each query row attends to its own rows, scattered in memory. Memory bandwidth is
// the limit, and hardware prefetching cannot predict the next row: the kernel prefetches the next block while
// it computes the current one.
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kBlock = kLanes;  // rows of keys or values in one block
constexpr std::int64_t kLine = 64;       // bytes per cache line

/// The keys or the values of some rows.
template <class Number>
struct Block {
  const void* const* rows = nullptr;
  std::int64_t count = 0, offset = 0;  // in elements; offset: of the keys or values in a row

  const Number* row(std::int64_t j) const { return static_cast<const Number*>(rows[j]) + offset; }
  /// Prefetches part `part` of `parts` of the rows, each `width` elements long.
  void fetch(std::int64_t part, std::int64_t parts, std::int64_t width) const {
    constexpr std::int64_t kStep = kLine / static_cast<std::int64_t>(sizeof(Number));
    for (std::int64_t j = count * part / parts; j < count * (part + 1) / parts; ++j) {
      for (std::int64_t i = 0; i < width; i += kStep) __builtin_prefetch(row(j) + i);
    }
  }
};

/// Calls `f(part of the sums, position, count)` for the vectors of a head: C whole ones, or, if C = 0, as
/// many as the width needs.
template <int C, class Function>
inline void each_vector(std::int64_t head_width, Function f) {
  if constexpr (C > 0) {
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c) f(c % Sums<>::kParts, std::int64_t{c} * kLanes, std::int64_t{kLanes});
  } else {
    by_lanes(head_width, f);
  }
}

/// Products of a head's query with the keys of a block, which start at column `first`: `kLanes` scores, 0
/// past the end of the block.
template <int C, class Number>
inline Vector key_products(const float* query, const Block<Number>& block, std::int64_t first,
                           std::int64_t head_width) {
  Vector products[kBlock];
  for (std::int64_t j = 0; j < kBlock; ++j) products[j] = Vector{};
  for (std::int64_t j = 0; j < block.count; ++j) {
    const Number* const key = block.row(j) + first;
    Sums<> sums{};
    each_vector<C>(head_width, [&](int part, std::int64_t i, std::int64_t n) {
      sums.parts[part] += load(query + i) * take(key + i, n);
    });
    products[j] = sums.folded();
  }
  return sums_of(products);
}

/// sums += the values of a block, which start at column `first`, weighted by the weights of a head.
template <int C, class Number>
inline void add_values(const float* weights, const Block<Number>& block, std::int64_t first,
                       std::int64_t head_width, float* sums) {
  if constexpr (C > 0) {
    Vector own[C];
    for (int c = 0; c < C; ++c) own[c] = load(sums + c * kLanes);
    for (std::int64_t j = 0; j < block.count; ++j) {
      const Number* const value = block.row(j) + first;
      const Vector weight = all(weights[j]);
      for (int c = 0; c < C; ++c) own[c] += weight * load(value + c * kLanes);
    }
    for (int c = 0; c < C; ++c) store(sums + c * kLanes, own[c]);
  } else {
    for (std::int64_t j = 0; j < block.count; ++j) {
      const Number* const value = block.row(j) + first;
      vectors(head_width, [&](std::int64_t i, std::int64_t n) {
        give(sums + i, take(sums + i, n) + all(weights[j]) * take(value + i, n), n);
      });
    }
  }
}

template <int C, class Number>
void attend(const AttendedRows<Number>& all_rows, Number* result, float* scratch) {
  const std::int64_t heads = all_rows.heads, head_width = all_rows.head_width, width = heads * head_width;
  const std::int64_t key_width = all_rows.key_value_heads * head_width;
  const std::int64_t group = heads / all_rows.key_value_heads;  // heads that share a head of keys
  float* const query = scratch;                                 // [width], padded to a whole vector
  float* const sums = query + width + kLanes;                   // same
  float* const weights = sums + width + kLanes;
  const auto block_of = [&](std::int64_t row, std::int64_t start, std::int64_t offset) {
    const std::int64_t end = all_rows.starts[row + 1], left = end - start;
    return Block<Number>{all_rows.keys + start, left < kBlock ? left : kBlock, offset};
  };
  store(query + width, Vector{});  // zero padding, which the last head reads
  for (std::int64_t row = 0; row < all_rows.rows; ++row, result += width) {
    const std::int64_t start = all_rows.starts[row], end = all_rows.starts[row + 1];
    const std::int64_t columns = padded(end - start);
    by_vectors(
        width,
        [&](std::int64_t i) { store(query + i, load(all_rows.queries + row * all_rows.query_stride + i)); },
        [&](std::int64_t i, std::int64_t n) {
          store(query + i, load_part(all_rows.queries + row * all_rows.query_stride + i, n));
        });
    for (std::int64_t j = start; j < end; j += kBlock) {
      const Block<Number> block = block_of(row, j, 0);
      const Block<Number> next =
          j + kBlock < end ? block_of(row, j + kBlock, 0) : block_of(row, start, key_width);
      for (std::int64_t head = 0, first = 0; head < heads; first += head_width) {
        for (const std::int64_t end_of_group = head + group; head < end_of_group; ++head) {
          next.fetch(head, heads, key_width);
          store(weights + head * columns + j - start,
                key_products<C>(query + head * head_width, block, first, head_width));
        }
      }
    }
    for (std::int64_t head = 0; head < heads; ++head) {
      DistanceScores own = all_rows.distances;
      if (own.numbers != nullptr) own.numbers += head * (2 * own.reach + 1);
      add_distances(own, weights + head * columns, end - start - 1, 0, end - start, all_rows.scale);
      softmax_row(weights + head * columns, end - start, columns, all_rows.scale);
    }
    for (std::int64_t i = 0; i < width; i += kLanes) store(sums + i, Vector{});
    for (std::int64_t j = start; j < end; j += kBlock) {
      const Block<Number> block = block_of(row, j, key_width);
      const Block<Number> next = j + kBlock < end          ? block_of(row, j + kBlock, key_width)
                                 : row + 1 < all_rows.rows ? block_of(row + 1, all_rows.starts[row + 1], 0)
                                                           : Block<Number>{};
      for (std::int64_t head = 0, first = 0; head < heads; first += head_width) {
        for (const std::int64_t end_of_group = head + group; head < end_of_group; ++head) {
          next.fetch(head, heads, key_width);
          add_values<C>(weights + head * columns + j - start, block, first, head_width,
                        sums + head * head_width);
        }
      }
    }
    by_vectors(
        width, [&](std::int64_t i) { store(result + i, load(sums + i)); },
        [&](std::int64_t i, std::int64_t n) { store_part(result + i, load(sums + i), n); });
  }
}

std::int64_t attend_scratch(std::int64_t most_keys, std::int64_t heads, std::int64_t head_width) {
  return 2 * (heads * head_width + kLanes) + heads * padded(most_keys);
}

template <class Number>
void attend_rows(const AttendedRows<Number>& rows, Number* result, float* scratch) {
  switch (rows.head_width) {
    case kLanes:
      return attend<1>(rows, result, scratch);
    case 2 * kLanes:
      return attend<2>(rows, result, scratch);
    case 4 * kLanes:
      return attend<4>(rows, result, scratch);
    case 8 * kLanes:
      return attend<8>(rows, result, scratch);
    default:
      return attend<0>(rows, result, scratch);
  }
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.attend_scratch = attend_scratch;
  k.attend_rows = attend_rows;
}

}  // namespace

void add_attend_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS
