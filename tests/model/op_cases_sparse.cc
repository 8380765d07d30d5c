// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for sparse attention and windows of tokens.
#include "op_cases.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/hash_pattern.h"
#include "model/tensor/ops_token_windows.h"

namespace gloss {
namespace {

constexpr std::int64_t kSparseRows = 150;
// A sentence seen completely, padding rows, and a long sentence.
const std::vector<AttentionSpan> kSparseSpans{{0, 5, 0, 5}, {8, 140, 8, 140}};

/// How often query `i` of a layout sees key `j`, both places of a round.
int views(const BlockLayout& layout, std::size_t first, std::int64_t i, std::int64_t j) {
  if (!layout.labels.empty() && layout.labels[first + index(i)] != layout.labels[first + index(j)]) return 0;
  const std::size_t block = index(i / layout.block);
  int count = 0;
  for (int r = layout.starts[block]; r < layout.starts[block + 1]; ++r)
    count += j >= layout.ranges[index(r)].first && j < layout.ranges[index(r)].last ? 1 : 0;
  return count;
}

/// The number of times that each row sees each other, [rows, rows].
std::vector<int> all_views(const BlockLayout& layout, std::int64_t rows) {
  std::vector<int> all(index(rows * rows), 0);
  for (std::int64_t round = 0; round < layout.rounds; ++round) {
    const std::size_t first = index(round * rows);
    const auto row = [&](std::int64_t place) {
      return layout.order.empty() ? place : std::int64_t{layout.order[first + index(place)]};
    };
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < rows; ++j)
        all[index(row(i) * rows + row(j))] += views(layout, first, i, j);
    }
  }
  return all;
}

/// Queries are the first columns of `q`; keys and values the last of `kv`.
std::vector<double> naive_sparse_attention(const Tensor& q, const Tensor& kv, const AttentionShape& shape,
                                           const Tensor& distances = {}) {
  const std::int64_t d = shape.heads.head_width, width = shape.heads.width(), keys = kv.columns() - 2 * width;
  std::vector<double> y(index(q.rows() * width), 0.0);
  for (std::size_t s = 0; s < kSparseSpans.size(); ++s) {
    const std::int64_t start = kSparseSpans[s].query_start, rows = kSparseSpans[s].query_count;
    for (int h = 0; h < shape.heads.heads; ++h) {
      const BlockLayout layout = shape.pattern->layout(static_cast<std::int64_t>(s), rows, h);
      const std::vector<int> seen = all_views(layout, rows);
      for (std::int64_t i = 0; i < rows; ++i) {
        double total = 0;
        std::vector<double> weights;
        for (std::int64_t j = 0; j < rows; ++j) {
          double score = 0;
          for (std::int64_t c = 0; c < d; ++c)
            score += at(q, start + i, h * d + c) * at(kv, start + j, keys + h * d + c);
          score *= static_cast<double>(shape.heads.scale);
          if (distances) score += score_of_distance(distances, h, i, j, shape.grid_columns);
          if (layout.avoids_self && i == j) score -= 1000;
          weights.push_back(seen[index(i * rows + j)] * std::exp(score));
          total += weights.back();
        }
        for (std::int64_t j = 0; j < rows; ++j) {
          for (std::int64_t c = 0; c < d; ++c)
            y[index((start + i) * width + h * d + c)] +=
                weights[index(j)] / total * at(kv, start + j, keys + width + h * d + c);
        }
      }
    }
  }
  return y;
}

/// The same pattern with every change of the queries, for gradients.
std::shared_ptr<const AttentionPattern> hash_pattern(std::int64_t chunk) {
  const HashDirections directions(
      {.most_rows = 140, .chunk = chunk, .rounds = 3, .heads = 2, .head_width = 4}, 5);
  Random random(19);
  return std::make_shared<const HashPattern>(directions, random_tensor({kSparseRows, 16}, random),
                                             kSparseSpans);
}

void add_sparse_attention(std::vector<OpCase>& all) {
  struct Named {
    std::string name;
    std::shared_ptr<const AttentionPattern> pattern;
  };
  const auto blocks = [](const BlockSizes& sizes) { return std::make_shared<const BlockPattern>(sizes, 3); };
  const std::vector<Named> patterns{
      {"block_attention", blocks({.block = 7, .window = 1, .global = 2, .random = 3})},
      {"block_attention_of_vectors", blocks({.block = 16, .window = 1, .global = 1, .random = 1})},
      {"block_attention_of_rows", blocks({.block = 1, .window = 3, .global = 0, .random = 2})},
      {"block_attention_without_window", blocks({.block = 5, .window = 0, .global = 3, .random = 0})},
      {"hashed_attention", hash_pattern(6)},
      {"hashed_attention_by_two_hashes", hash_pattern(2)}};
  for (const auto& [name, pattern] : patterns) {
    AttentionShape shape{AttentionHeads::of_width(8, 2), false, {}};
    shape.pattern = pattern;
    all.push_back({name,
                   {{kSparseRows, 24}},
                   1,
                   [=](const Inputs& in) { return attention(in[0], in[0], kSparseSpans, shape); },
                   [=](const Inputs& in) { return naive_sparse_attention(in[0], in[0], shape); }});
    AttentionShape dropping = shape;
    dropping.dropout = kDrop;
    all.push_back({name + "_dropout",
                   {{kSparseRows, 24}},
                   1,
                   [=](const Inputs& in) { return attention(in[0], in[0], kSparseSpans, dropping); },
                   nullptr});
    if (name.starts_with("hashed")) {
      all.push_back({name + "_of_other_keys",
                     {{kSparseRows, 16}, {kSparseRows, 16}},
                     2,
                     [=](const Inputs& in) { return attention(in[0], in[1], kSparseSpans, shape); },
                     [=](const Inputs& in) { return naive_sparse_attention(in[0], in[1], shape); }});
      continue;
    }
    all.push_back({name + "_by_distance",
                   {{kSparseRows, 24}, {2, 2 * 7 + 1}},
                   1,
                   [=](const Inputs& in) {
                     AttentionShape by_distance = shape;
                     by_distance.distances = in[1];
                     return attention(in[0], in[0], kSparseSpans, by_distance);
                   },
                   [=](const Inputs& in) { return naive_sparse_attention(in[0], in[0], shape, in[1]); }});
    AttentionShape by_offset = shape;
    by_offset.grid_columns = 6;
    all.push_back({name + "_by_offset",
                   {{kSparseRows, 24}, {2, 47 * 11}},
                   1,
                   [=](const Inputs& in) {
                     AttentionShape of_grid = by_offset;
                     of_grid.distances = in[1];
                     return attention(in[0], in[0], kSparseSpans, of_grid);
                   },
                   [=](const Inputs& in) { return naive_sparse_attention(in[0], in[0], by_offset, in[1]); }});
  }
}

/// Where an element of windows comes from in x, or -1.
std::vector<std::int64_t> sources_of_windows(const WindowSizes& sizes, std::int64_t width) {
  std::vector<std::int64_t> sources;
  for (const AttentionSpan& span : kSparseSpans) {
    const std::int64_t windows = (span.query_count + sizes.shift + sizes.size - 1) / sizes.size;
    for (std::int64_t w = 0; w < windows; ++w) {
      for (std::int64_t c = 0; c < width; ++c) {
        for (std::int64_t place = 0; place < sizes.size; ++place) {
          const std::int64_t t = w * sizes.size + place - sizes.shift;
          const bool inside = t >= 0 && t < span.query_count;
          sources.push_back(inside ? (span.query_start + t) * width + c : -1);
        }
      }
    }
  }
  return sources;
}

void add_token_windows(std::vector<OpCase>& all) {
  for (const WindowSizes& sizes : {WindowSizes{6, 0}, WindowSizes{16, 8}, WindowSizes{200, 3}}) {
    constexpr std::int64_t kWidth = 7;
    const std::vector<std::int64_t> sources = sources_of_windows(sizes, kWidth);
    const std::int64_t lines = std::ssize(sources) / sizes.size;
    all.push_back({concat("windows_of_rows_", sizes.size),
                   {{kSparseRows, kWidth}},
                   1,
                   [=](const Inputs& in) { return windows_of_rows(in[0], kSparseSpans, sizes); },
                   [=](const Inputs& in) {
                     std::vector<double> y;
                     for (const std::int64_t from : sources)
                       y.push_back(from < 0 ? 0.0 : double{in[0].data()[from]});
                     return y;
                   }});
    all.push_back({concat("rows_of_windows_", sizes.size),
                   {{lines, sizes.size}},
                   1,
                   [=](const Inputs& in) { return rows_of_windows(in[0], kSparseSpans, sizes, kSparseRows); },
                   [=](const Inputs& in) {
                     std::vector<double> y(index(kSparseRows * kWidth), 0.0);
                     for (std::size_t i = 0; i < sources.size(); ++i) {
                       if (sources[i] >= 0) y[index(sources[i])] = double{in[0].data()[i]};
                     }
                     return y;
                   }});
    all.push_back({concat("windows_used_twice_", sizes.size),
                   {{kSparseRows, kWidth}},
                   1,
                   [=](const Inputs& in) {
                     const Tensor windows = windows_of_rows(in[0], kSparseSpans, sizes);
                     return add_dropout(
                         rows_of_windows(add_dropout(windows, windows, {}), kSparseSpans, sizes, kSparseRows),
                         in[0], {});
                   },
                   nullptr});
  }
}

}  // namespace

std::vector<OpCase> sparse_op_cases() {
  std::vector<OpCase> all;
  add_sparse_attention(all);
  add_token_windows(all);
  return all;
}

}  // namespace gloss
