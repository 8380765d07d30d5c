// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/muon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.h"
#include "base/random.h"
#include "model/tensor/can_multiply.h"
#include "pipeline/training/optimizer.h"

namespace gloss {
namespace {

std::vector<float> random_numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(index(count));
  for (float& x : numbers) x = static_cast<float>(random.uniform()) - 0.5F;
  return numbers;
}

/// The products of the rows of a matrix with each other, or of its columns if these are fewer.
std::vector<double> gram(const std::vector<float>& matrix, std::int64_t rows, std::int64_t columns) {
  const bool tall = rows > columns;
  const std::int64_t side = std::min(rows, columns), length = std::max(rows, columns);
  const auto at = [&](std::int64_t i, std::int64_t k) {
    return static_cast<double>(matrix[index(tall ? k * columns + i : i * columns + k)]);
  };
  std::vector<double> products;
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; j < side; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < length; ++k) sum += at(i, k) * at(j, k);
      products.push_back(sum);
    }
  }
  return products;
}

std::vector<float> orthogonal(std::vector<float> matrix, std::int64_t rows, std::int64_t columns,
                              DType type) {
  orthogonalise(matrix, rows, columns, type);
  return matrix;
}

TEST(Muon, OrthogonalisesMatricesOfAnyShape) {
  for (const DType type : {DType::f32, DType::bf16}) {
    if (!can_multiply(type)) continue;
    for (const auto& [rows, columns] :
         std::vector<std::pair<int, int>>{{16, 16}, {40, 8}, {8, 40}, {2, 3}, {70, 200}, {300, 140}}) {
      const std::vector<float> start = random_numbers(rows * columns, 7);
      std::vector<float> scaled = start;
      for (float& x : scaled) x *= 1024;
      const std::vector<float> matrix = orthogonal(start, rows, columns, type);
      EXPECT_EQ(orthogonal(scaled, rows, columns, type), matrix);
      const std::vector<double> products = gram(matrix, rows, columns);
      const int side = std::min(rows, columns);
      double trace = 0;
      for (int i = 0; i < side; ++i) trace += products[index(i * side + i)];
      EXPECT_NEAR(trace / side, 1, 0.4) << rows << " x " << columns;
      if (rows == columns) continue;  // singular values of random square matrices may be tiny
      for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
          EXPECT_NEAR(products[index(i * side + j)], i == j ? 1 : 0, 0.7) << i << ", " << j;
        }
      }
    }
  }
}

TEST(Muon, MovesEachSingularValueToOne) {
  // A diagonal matrix with two rows exchanged: its numbers are its singular values.
  for (const DType type : {DType::f32, DType::bf16}) {
    if (!can_multiply(type)) continue;
    constexpr std::int64_t kSide = 100;
    std::vector<float> matrix(kSide * kSide);
    for (std::int64_t i = 0; i < kSide; ++i) {
      const std::int64_t row = i < 2 ? 1 - i : i;
      matrix[index(row * kSide + i)] = 5 * std::pow(0.012F, static_cast<float>(i) / (kSide - 1));
    }
    matrix[kSide * kSide - 1] = 0;
    const std::vector<float> result = orthogonal(matrix, kSide, kSide, type);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      EXPECT_NEAR(result[i], matrix[i] > 0 ? 1 : 0, matrix[i] > 0 ? 0.32 : 0.02)
          << i << ", " << name_of(type);
    }
  }
}

TEST(Muon, StaysZeroWithoutAGradient) {
  std::vector<float> weights(12, 1.0F), momentum(12);
  const std::vector<float> gradients(12, 0.0F);
  muon_update(weights, gradients, momentum, {0, 3, 4}, {.rate = 0.1F});
  EXPECT_EQ(weights, std::vector<float>(12, 1.0F));
  muon_update(weights, gradients, momentum, {0, 3, 4}, {.rate = 0.1F, .decay = 0.25F});
  EXPECT_EQ(weights, std::vector<float>(12, 0.75F));
}

TEST(Muon, StepsHaveTheSizeOfAdams) {
  constexpr std::int64_t kRows = 12, kColumns = 30;
  const std::vector<float> gradients = random_numbers(kRows * kColumns, 3);
  std::vector<float> weights(gradients.size()), momentum(gradients.size());
  muon_update(weights, gradients, momentum, {0, kRows, kColumns}, {.gradient_scale = 1e-3F, .rate = 0.01F});
  double squares = 0;
  for (const float x : weights) squares += static_cast<double>(x) * x;
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(weights.size())), 0.01 * 0.2, 0.0005);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(momentum[i], 0.05e-3 * gradients[i], 1e-8);
}

TEST(Muon, UpdatesTheMatricesOfHiddenLayers) {
  const auto sizes_of = [](const std::string& name, const Shape& shape) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
    std::size_t begin = 100;
    for (const MuonMatrix& matrix : muon_matrices({name, shape, begin, 1000})) {
      EXPECT_EQ(matrix.begin, begin);
      begin += index(matrix.rows * matrix.columns);
      sizes.emplace_back(matrix.rows, matrix.columns);
    }
    return sizes;
  };
  using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(sizes_of("encoder.0.feed_forward.inner.weight", {32, 8}), (Sizes{{32, 8}}));
  EXPECT_EQ(sizes_of("decoder.1.self_attention.query_key_value.weight", {24, 8}),
            (Sizes{{8, 8}, {8, 8}, {8, 8}}));
  EXPECT_EQ(sizes_of("decoder.1.self_attention.query_key_value.weight", {12, 8}), (Sizes{{12, 8}}));
  EXPECT_EQ(sizes_of("encoder.0.feed_forward.inner.bias", {32}), Sizes());
  EXPECT_EQ(sizes_of("embedding.weight", {100, 8}), Sizes());
  EXPECT_EQ(sizes_of("encoder.embedding.weight", {100, 8}), Sizes());
  EXPECT_EQ(sizes_of("output.weight", {100, 8}), Sizes());
}

TEST(Muon, UpdatesEachMatrixWithItsRateAndItsMoments) {
  const std::vector<WeightRange> ranges{{"encoder.0.self_attention.query_key_value.weight", {24, 8}, 0, 192},
                                        {"encoder.0.self_attention.query_key_value.bias", {24}, 192, 216},
                                        {"encoder.0.feed_forward.inner.weight", {32, 8}, 224, 480},
                                        {"decoder.0.feed_forward.outer.weight", {8, 16}, 480, 608}};
  OptimizerSettings settings;
  settings.update = Update::muon;
  settings.clip_norm = 0;
  settings.weight_decay = 0.1;
  settings.learning_rates = {"decoder=0.25"};
  const std::vector<float> start = random_numbers(608, 5), gradients = random_numbers(608, 6);
  std::vector<float> expected = start, moments(608);
  const auto update = [&](const MuonMatrix& matrix, double rate) {
    const std::size_t size = index(matrix.rows * matrix.columns);
    muon_update(std::span(expected).subspan(matrix.begin, size),
                std::span(gradients).subspan(matrix.begin, size),
                std::span(moments).subspan(matrix.begin, size), matrix,
                {.gradient_scale = 0.5F,
                 .momentum = static_cast<float>(settings.muon_momentum),
                 .rate = static_cast<float>(rate),
                 .decay = static_cast<float>(rate * settings.weight_decay)});
  };
  for (int step = 0; step < 2; ++step) {
    for (const std::size_t begin : {0u, 64u, 128u}) update({begin, 8, 8}, 0.08);
    update({224, 32, 8}, 0.08);
    update({480, 8, 16}, 0.02);
  }
  for (const int threads : {1, 2, 7}) {
    WorkerThreads workers(threads);
    Optimizer optimizer(settings, ranges);
    std::vector<float> weights = start;
    for (int step = 0; step < 2; ++step) optimizer.step(weights, gradients, {0.5, 1, 0.08}, workers);
    for (const auto& [range, first, second] : optimizer.moments()) {
      for (std::size_t i = range.begin; i < range.begin + first.size(); ++i) {
        if (range.shape.rank() == 1) {
          EXPECT_NE(weights[i], start[i]) << i;  // Adam's
        } else {
          EXPECT_EQ(weights[i], expected[i]) << i << ", " << threads << " threads";
          EXPECT_EQ(first[i - range.begin], moments[i]) << i;
        }
      }
    }
    for (std::size_t i = 216; i < 224; ++i) EXPECT_EQ(weights[i], start[i]) << "between parameters";
  }
}

TEST(Muon, FindsTheLeastSquares) {
  // One matrix by Muon, one vector by Adam; the loss is the squared distance from the goal.
  constexpr std::int64_t kSide = 8;
  const std::vector<float> goal = random_numbers(kSide * kSide + kSide, 11);
  std::vector<std::vector<float>> all;
  for (const int threads : {1, 3}) {
    OptimizerSettings settings;
    settings.update = Update::muon;
    settings.clip_norm = 0;
    const auto matrix_end = index(kSide * kSide);
    Optimizer optimizer(settings, {{"encoder.0.output.weight", Shape{kSide, kSide}, 0, matrix_end},
                                   {"encoder.0.output.bias", Shape{kSide}, matrix_end, goal.size()}});
    WorkerThreads workers(threads);
    std::vector<float> weights(goal.size()), gradients(goal.size());
    constexpr int kSteps = 400;
    for (int step = 0; step < kSteps; ++step) {
      for (std::size_t i = 0; i < goal.size(); ++i) gradients[i] = weights[i] - goal[i];
      const double norm = optimizer.gradient_norm(gradients, 1, workers);
      optimizer.step(weights, gradients, {1, norm, 0.02 * (1 - static_cast<double>(step) / kSteps)}, workers);
    }
    for (std::size_t i = 0; i < goal.size(); ++i) EXPECT_NEAR(weights[i], goal[i], 0.02) << i;
    all.push_back(weights);
  }
  EXPECT_EQ(all[0], all[1]);
}

}  // namespace
}  // namespace gloss
