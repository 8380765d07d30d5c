// SPDX-License-Identifier: Apache-2.0
// Operations against their definitions, where the table of operations is not enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "op_cases.h"

namespace gloss {
namespace {

TEST(Norm, RowsWhoseSquaresOverflowAreNoNumbers) {
  Random random(3);
  const Tensor x = random_tensor({3, 40}, random), gain = random_tensor({40}, random),
               bias = random_tensor({40}, random);
  x.data()[40 + 7] = 1e25f;
  for (const Tensor& y : {norm(x, {gain, bias}), norm(x, {gain})}) {
    for (std::int64_t row = 0; row < 3; ++row) {
      const auto is_number = [](float value) { return std::isfinite(value); };
      EXPECT_EQ(std::all_of(y.data() + row * 40, y.data() + row * 40 + 40, is_number), row != 1) << row;
    }
  }
}

/// GELU's tanh approximation loses digits in its negative tail, where it is itself only an approximation.
TEST(Activation, IsPreciseOverItsWholeRange) {
  std::vector<float> points;
  for (float v = -12.5f; v <= 12.5f; v += 0.0017f) points.push_back(v);
  const auto count = static_cast<std::int64_t>(points.size());
  for (const ActivationFunction& function : kActivationFunctions) {
    const Tensor y = activate(Tensor::of({1, count}, points), function.activation, {});
    const bool approximate = function.activation == Activation::gelu;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double expected = function.definition(static_cast<double>(points[i]));
      ASSERT_NEAR(y.values()[i], expected,
                  approximate ? 1e-6 * (1 + std::abs(expected)) : 1e-6 * std::abs(expected))
          << function.name << " of " << points[i];
    }
  }
}

TEST(Activation, OfLargeNumbersIsTheNumberOrZero) {
  const std::vector<float> points{-1e10f, -200, 200, 1e10f, std::nanf("")};
  for (const ActivationFunction& function : kActivationFunctions) {
    const Tensor x = Tensor::of({1, 5}, points), y = activate(x, function.activation, {});
    const bool squashes = function.activation == Activation::sigmoid;
    EXPECT_NEAR(y.data()[1], 0, 1e-30) << function.name;
    EXPECT_FLOAT_EQ(y.data()[2], squashes ? 1.0f : 200.0f) << function.name;
    EXPECT_FLOAT_EQ(y.data()[3], squashes ? 1.0f : 1e10f) << function.name;
    EXPECT_TRUE(std::isnan(y.data()[4])) << function.name;
  }
}

TEST(CrossEntropy, EqualsItsDefinition) {
  Random random(3);
  const Tensor hidden = random_tensor({4, 8}, random), weight = random_tensor({37, 8}, random);
  const std::vector<std::int32_t> targets = {5, -1, 36, 0};
  const std::vector<float> weights = {3, 1, 0.5f, 0.25f};
  const double smoothing = 0.2;
  double plain = 0, smooth = 0, weighted_plain = 0, weighted_smooth = 0;
  for (std::int64_t r = 0; r < 4; ++r) {
    if (targets[index(r)] < 0) continue;
    std::vector<double> logits(37, 0.0);
    double total = 0;
    for (std::int64_t v = 0; v < 37; ++v) {
      for (std::int64_t c = 0; c < 8; ++c) logits[index(v)] += at(hidden, r, c) * at(weight, v, c);
      total += std::exp(logits[index(v)]);
    }
    for (std::size_t v = 0; v < 37; ++v) {
      const double surprise = std::log(total) - logits[v];
      const bool is_target = static_cast<std::int32_t>(v) == targets[index(r)];
      const double counts = static_cast<double>(weights[index(r)]);
      const double part = surprise * ((is_target ? 1 - smoothing : 0) + smoothing / 37);
      if (is_target) plain += surprise;
      if (is_target) weighted_plain += counts * surprise;
      smooth += part;
      weighted_smooth += counts * part;
    }
  }
  const CrossEntropy made = softmax_cross_entropy(hidden, {weight}, targets, {}, {smoothing});
  EXPECT_NEAR(made.cross_entropy, plain, 1e-4);
  EXPECT_NEAR(made.sum.data()[0], smooth, 1e-4);
  const CrossEntropy weighted = softmax_cross_entropy(hidden, {weight}, targets, weights, {smoothing});
  EXPECT_NEAR(weighted.cross_entropy, weighted_plain, 1e-4);
  EXPECT_NEAR(weighted.sum.data()[0], weighted_smooth, 1e-4);
  double from_tokens = 0;
  for (const float p : target_log_probabilities(hidden, {weight}, targets)) from_tokens -= p;
  EXPECT_NEAR(from_tokens, plain, 1e-4);
}

TEST(CrossEntropy, SoftTargetsShareTheProbability) {
  Random random(4);
  const Tensor hidden = random_tensor({3, 8}, random), weight = random_tensor({37, 8}, random);
  const std::vector<std::int32_t> targets = {5, 36, -1};
  const std::vector<float> weights = {3, 0.5f, 1};
  const SoftTargets soft{2, {5, 7, 0, 1}, {0.25f, 0.75f, 0.5f, 0.5f}};
  const double smoothing = 0.2, share = 0.6;
  double expected = 0;
  for (std::int64_t r = 0; r < 2; ++r) {
    std::vector<double> logits(37, 0.0), wanted(37, (1 - share) * smoothing / 37);
    wanted[index(targets[index(r)])] += (1 - share) * (1 - smoothing);
    for (std::int64_t i = 2 * r; i < 2 * r + 2; ++i) {
      wanted[index(soft.tokens[index(i)])] += share * static_cast<double>(soft.shares[index(i)]);
    }
    double total = 0;
    for (std::int64_t v = 0; v < 37; ++v) {
      for (std::int64_t c = 0; c < 8; ++c) logits[index(v)] += at(hidden, r, c) * at(weight, v, c);
      total += std::exp(logits[index(v)]);
    }
    for (std::size_t v = 0; v < 37; ++v) {
      expected += static_cast<double>(weights[index(r)]) * wanted[v] * (std::log(total) - logits[v]);
    }
  }
  const CrossEntropy made =
      softmax_cross_entropy(hidden, {weight}, targets, weights, {smoothing, &soft, share});
  EXPECT_NEAR(made.sum.data()[0], expected, 1e-4 * expected);
  const CrossEntropy plain = softmax_cross_entropy(hidden, {weight}, targets, weights, {smoothing});
  EXPECT_EQ(made.cross_entropy, plain.cross_entropy);
}

TEST(CrossEntropy, PairsAddTheMeanOfBothDivergences) {
  Random random(5);
  const Tensor hidden = random_tensor({4, 8}, random), weight = random_tensor({37, 8}, random);
  const std::vector<std::int32_t> targets = {5, 5, 36, 36};
  const std::vector<float> weights = {3, 3, 0.5f, 0.5f};
  const double smoothing = 0.2, r_drop = 4;
  const auto log_probabilities = [&](std::int64_t row) {
    std::vector<double> logits(37, 0.0);
    double total = 0;
    for (std::int64_t v = 0; v < 37; ++v) {
      for (std::int64_t c = 0; c < 8; ++c) logits[index(v)] += at(hidden, row, c) * at(weight, v, c);
      total += std::exp(logits[index(v)]);
    }
    for (double& logit : logits) logit -= std::log(total);
    return logits;
  };
  const CrossEntropy plain = softmax_cross_entropy(hidden, {weight}, targets, weights, {smoothing});
  double expected = plain.sum.data()[0];
  for (const std::int64_t row : {0, 2}) {
    const std::vector<double> p = log_probabilities(row), q = log_probabilities(row + 1);
    for (std::size_t v = 0; v < p.size(); ++v) {
      expected += r_drop * static_cast<double>(weights[index(row)]) * 0.5 *
                  (std::exp(p[v]) - std::exp(q[v])) * (p[v] - q[v]);
    }
  }
  const CrossEntropy made = softmax_cross_entropy(hidden, {weight}, targets, weights,
                                                  {.label_smoothing = smoothing, .r_drop = r_drop});
  EXPECT_NEAR(made.sum.data()[0], expected, 1e-5 * expected);
  EXPECT_GT(expected, 1.1 * static_cast<double>(plain.sum.data()[0]));
  EXPECT_EQ(made.cross_entropy, plain.cross_entropy);
}

TEST(Dropout, KeepsTheRightShareAndScalesIt) {
  Random random(5);
  Tensor ones = Tensor::uninitialised({100, 1000});
  for (float& v : ones.values()) v = 1;
  const Tensor y = add_dropout(Tensor::zeros({100, 1000}), ones, dropout_mask(0.3, &random));
  std::int64_t kept = 0;
  for (const float v : y.values()) {
    if (v != 0) {
      ASSERT_FLOAT_EQ(v, 1.0f / 0.7f);
      ++kept;
    }
  }
  EXPECT_NEAR(static_cast<double>(kept) / 100000, 0.7, 0.01);
  const Tensor other = add_dropout(Tensor::zeros({100, 1000}), ones, dropout_mask(0.3, &random));
  std::int64_t both = 0;
  for (std::size_t i = 0; i < 100000; ++i) both += y.values()[i] != 0 && other.values()[i] != 0;
  EXPECT_NEAR(static_cast<double>(both) / 100000, 0.49, 0.01) << "masks of two keys must be independent";
}

// Groups of heads with common keys and values, of widths with and without a kernel of their own.
TEST(AttendRows, EqualsAttentionWithFewerHeadsOfKeysAndValues) {
  Random random(11);
  for (const std::int64_t head_width : {5, 16, 64}) {
    for (const int key_value_heads : {1, 2, 3}) {
      const AttentionHeads heads{6, key_value_heads, head_width, 0.3f};
      const std::int64_t columns = 2 * heads.key_value_width();
      const Tensor q = random_tensor({3, heads.width()}, random), kv = random_tensor({40, columns}, random);
      const std::vector<AttentionSpan> spans = {{0, 1, 0, 40}, {1, 1, 2, 3}, {2, 1, 5, 17}};
      const Tensor expected = attention(q, kv, spans, {heads, false, {}});
      KeyRows rows;
      for (const AttentionSpan& s : spans) {
        for (int j = 0; j < s.key_count; ++j) rows.keys.push_back(kv.raw_row(s.key_start + j));
        rows.end_row();
      }
      const Tensor y = attend_rows(q, rows, heads);
      for (std::size_t i = 0; i < index(y.count()); ++i)
        ASSERT_NEAR(y.values()[i], expected.values()[i], 1e-5) << head_width << " " << key_value_heads;
      const std::vector<std::vector<float>> weights = attention_weights(q, rows, heads);
      for (int head = 0; head < 6; ++head) {
        float sum = 0;  // the first result of the head in the first row
        for (int j = 0; j < 40; ++j) {
          const std::int64_t column = heads.key_value_width() + head * key_value_heads / 6 * head_width;
          sum += weights[index(head)][index(j)] * kv.data()[j * columns + column];
        }
        EXPECT_NEAR(y.data()[head * head_width], sum, 1e-5);
      }
    }
  }
}

TEST(AttendRows, EqualsAttentionOverTheSameRows) {
  Random random(9);
  const AttentionHeads one = AttentionHeads::of_width(32, 1), two = AttentionHeads::of_width(32, 2);
  const Tensor q = random_tensor({4, 32}, random), kv = random_tensor({9, 64}, random);
  const std::vector<AttentionSpan> spans = {{0, 1, 0, 9}, {1, 1, 2, 3}, {2, 1, 5, 1}, {3, 1, 1, 8}};
  const Tensor expected = attention(q, kv, spans, {two, false, {}});
  KeyRows rows;
  for (const AttentionSpan& s : spans) {
    for (int j = 0; j < s.key_count; ++j) rows.keys.push_back(kv.data() + (s.key_start + j) * 64);
    rows.starts.push_back(static_cast<int>(rows.keys.size()));
  }
  const Tensor y = attend_rows(q, rows, two);
  for (std::size_t i = 0; i < 4 * 32; ++i) EXPECT_NEAR(y.values()[i], expected.values()[i], 1e-5);

  // With distances, the position of a query is that of its last key.
  const Tensor distances = random_tensor({2, 7}, random), of_all = Tensor::zeros({9, 32});
  std::copy_n(q.data(), 32, of_all.data() + 8 * 32);
  const Tensor of_the_last = attention(of_all, kv, {{0, 9, 0, 9}}, {two, true, {}, distances});
  const Tensor by_distance = attend_rows(q, rows, two, distances);
  for (std::int64_t i = 0; i < 32; ++i)
    EXPECT_NEAR(by_distance.data()[i], of_the_last.data()[8 * 32 + i], 1e-5);

  // The weights of a single head reproduce its result from the values.
  const Tensor of_one_head = attend_rows(q, rows, one);
  const std::vector<float> weights = attention_weights(q, rows, one).front(),
                           of_two = attention_weights(q, rows, two).back();
  ASSERT_EQ(weights.size(), rows.keys.size());
  for (std::size_t row = 0; row + 1 < rows.starts.size(); ++row) {
    const auto first = index(rows.starts[row]), last = index(rows.starts[row + 1]);
    for (std::size_t d = 0; d < 32; ++d) {
      float sum = 0;
      for (std::size_t i = first; i < last; ++i)
        sum += weights[i] * static_cast<const float*>(rows.keys[i])[32 + d];
      EXPECT_NEAR(of_one_head.values()[row * 32 + d], sum, 1e-5);
    }
    EXPECT_NEAR(
        std::accumulate(of_two.begin() + rows.starts[row], of_two.begin() + rows.starts[row + 1], 0.0), 1,
        1e-5);
  }
}

TEST(TopTokens, AreTheMostProbableWithTiesByLowerId) {
  Random random(13);
  for (const std::int64_t vocabulary : {3, 16, 100, 1003, 2047, 5000}) {
    std::vector<float> logits(index(vocabulary));
    for (float& v : logits) v = static_cast<float>(random.below(12));
    double total = 0;
    for (const float v : logits) total += std::exp(static_cast<double>(v));
    std::vector<std::int32_t> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return logits[index(a)] > logits[index(b)]; });
    const std::int64_t count = std::min<std::int64_t>(vocabulary, 12);
    std::vector<ScoredToken> best(index(count));
    EXPECT_NEAR(top_tokens(logits, best), std::log(total), 1e-4);
    for (std::size_t i = 0; i < best.size(); ++i) {
      EXPECT_EQ(best[i].token, order[i]);
      EXPECT_EQ(best[i].score, logits[index(order[i])]);
    }
  }
}

}  // namespace
}  // namespace gloss
