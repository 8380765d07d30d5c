// SPDX-License-Identifier: Apache-2.0
// Attention to some of the rows, and the weights of rows.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/layers/row_weights.h"
#include "model/tensor/fixed_pattern.h"
#include "model/tensor/hash_pattern.h"
#include "network_checks.h"

namespace gloss {
namespace {

TEST(BlockPattern, ChoosesBlocksByHeadAndBlock) {
  const BlockPattern pattern({.block = 4, .window = 1, .global = 1, .random = 2}, 7);
  const auto ranges = [&](std::int64_t rows, int head) {
    const BlockLayout layout = pattern.layout(0, rows, head);
    std::vector<std::int32_t> numbers(layout.starts);
    for (const KeyRange& range : layout.ranges) numbers.insert(numbers.end(), {range.first, range.last});
    return numbers;
  };
  EXPECT_EQ(ranges(399, 0), ranges(399, 0));
  EXPECT_NE(ranges(399, 0), ranges(399, 1));
  // Every block but the first sees 6 blocks at most, so the pairs grow with the rows.
  for (const std::int64_t rows : {400, 4000}) {
    const std::int64_t pairs = pattern.layout(0, rows, 0).pairs(rows);
    EXPECT_LE(pairs, rows * 4 + rows * 24);
    EXPECT_GE(pairs, rows * 4 + (rows - 12) * 24);
  }
  EXPECT_EQ(pattern.layout(0, 24, 0).pairs(24), 24 * 24) << "6 blocks are seen completely";
}

TEST(HashPattern, PutsEqualRowsIntoOneBucket) {
  const HashDirections directions({.most_rows = 64, .chunk = 4, .rounds = 3, .heads = 1, .head_width = 6}, 2);
  Random random(5);
  const Tensor queries = Tensor::uninitialised({64, 6});
  for (float& value : queries.values()) value = static_cast<float>(random.normal());
  for (int c = 0; c < 6; ++c) queries.data()[50 * 6 + c] = 3 * queries.data()[7 * 6 + c];
  const HashPattern pattern(directions, queries, {{0, 64, 0, 64}});
  const BlockLayout layout = pattern.layout(0, 64, 0);
  ASSERT_EQ(layout.rounds, 3);
  ASSERT_EQ(layout.order.size(), 3U * 64);
  for (std::size_t round = 0; round < 3; ++round) {
    const auto label_of = [&](std::int32_t row) {
      const auto from = layout.order.begin() + static_cast<std::ptrdiff_t>(round) * 64;
      return layout.labels[index(std::find(from, from + 64, row) - layout.order.begin())];
    };
    EXPECT_EQ(label_of(7), label_of(50));
    const auto part = std::span(layout.labels).subspan(round * 64, 64);
    EXPECT_TRUE(std::ranges::is_sorted(part));
    EXPECT_GT(part.back(), part.front());
    EXPECT_LT(part.back(), 32);
  }
}

TEST(FixedPattern, ShowsOneBlockAndTheLastRowsOfOthers) {
  const auto pairs = [](std::int64_t rows, bool causal) {
    return FixedPattern(4, 1, causal).layout(0, rows, 0).pairs(rows);
  };
  EXPECT_EQ(pairs(4, false), 16);
  EXPECT_EQ(pairs(8, false), 2 * 4 * (4 + 1));
  EXPECT_EQ(pairs(8, true), 4 * 4 + 4 * (1 + 4)) << "keys after a query count, but are hidden";
  EXPECT_EQ(pairs(10, false), 4 * 5 + 4 * 5 + 2 * (2 + 2)) << "the last block has no fourth row";
}

TEST(LocalAttention, EqualsFullAttentionIfTheWindowCoversTheText) {
  Random random(3);
  const std::vector<AttentionSpan> spans{{0, 100, 0, 100}, {100, 7, 100, 7}};
  const AttentionShape full{
      AttentionHeads::of_width(12, 2), false, {0x123456789abcdef0ULL, 0x50000000u, 1.5f}};
  AttentionShape local = full;
  local.window = 99;
  const Shape shape{112, 36};
  std::vector<float> values;
  for (std::int64_t i = 0; i < shape.count(); ++i) values.push_back(static_cast<float>(random.normal()));
  const auto run = [&](const AttentionShape& by) {
    Tensor x = Tensor::of(shape, values);
    x.want_gradient(Tensor::zeros(shape));
    const Tensor y = attention(x, x, spans, by);
    const Tensor loss = record(Tensor::zeros({1}), {y}, [](const Tensor&, std::span<const Tensor> of) {
      of[0].hand_gradient(Tensor::of(of[0].shape(), of[0].values()));
    });
    backward(loss);
    std::vector<float> all(y.values().begin(), y.values().end());
    all.insert(all.end(), x.gradient().values().begin(), x.gradient().values().end());
    return all;
  };
  EXPECT_EQ(run(full), run(local));
}

TEST(LocalAttention, NeedsMemoryByTheWindow) {
  const auto scratch = [](std::int64_t length, std::int64_t window) {
    return kernels().f32.attention_scratch(length, length, 64, window);
  };
  // Copies of the operands grow with the length; the scores of a block of queries do not.
  const std::int64_t copies = 8 * 16384 * 64;
  EXPECT_LT(scratch(16384, 64), copies + 64 * 1024);
  EXPECT_GT(scratch(16384, 0), copies + 2 * 64 * 16384 - 1);
  EXPECT_LT(scratch(16384, 64) - scratch(8192, 64), 8192 * 64 * 8 + 1);
}

TEST(RowWeights, AreThoseOfAttention) {
  Random random(4);
  const Tensor projected = Tensor::uninitialised({32, 36});
  for (float& value : projected.values()) value = static_cast<float>(random.normal());
  const std::vector<AttentionSpan> spans{{0, 23, 0, 23}, {23, 7, 23, 7}};
  const AttentionHeads heads = AttentionHeads::of_width(12, 2);
  const Tensor expected[] = {head_weights(projected, projected, spans, heads, 0),
                             head_weights(projected, projected, spans, heads, 1)};
  int visited = 0;
  const RowWeightVisitor visit = [&](int first, int per_head, const Tensor& weights) {
    ASSERT_EQ(per_head, 6);
    std::int64_t of_span = 0;
    for (const AttentionSpan& span : spans) {
      for (int i = 0; i < span.query_count; ++i) {
        for (int c = 0; c < per_head && first + c < span.key_count; ++c) {
          for (int head = 0; head < 2; ++head, ++visited) {
            EXPECT_NEAR(weights.data()[(span.query_start + i) * 12 + head * per_head + c],
                        expected[head].data()[of_span + i * span.key_count + first + c], 1e-6);
          }
        }
      }
      of_span += std::int64_t{span.query_count} * span.key_count;
    }
  };
  visit_row_weights(&visit, spans, {projected, 2, 6}, [&](const Tensor& rows) {
    return attention(rows, rows, spans, AttentionShape{heads, false, {}});
  });
  EXPECT_EQ(visited, 2 * (23 * 23 + 7 * 7));
}

}  // namespace
}  // namespace gloss
