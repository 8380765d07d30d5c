// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/matmul.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/kernels/kernels.h"
#include "model/tensor/can_multiply.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/tensor.h"

namespace gloss {
namespace {

/// A random matrix with elements that are exact in both types.
struct Operand {
  std::vector<float> numbers;
  std::vector<Bf16> halves;

  Operand(std::int64_t count, Random& random) : halves(index(count)) {
    for (std::int64_t i = 0; i < count; ++i) {
      numbers.push_back(static_cast<float>(static_cast<int>(random.below(255)) - 127) / 64.0f);
    }
    kernels().narrow(numbers.data(), halves.data(), count);
  }
  const void* as(DType type) const {
    return type == DType::f32 ? static_cast<const void*>(numbers.data()) : halves.data();
  }
};

std::vector<float> multiply(MatmulShape shape, const Operand& a, const Operand& b, int threads) {
  set_threads_per_operation(threads);
  const Tensor c = Tensor::zeros({shape.m, shape.n});
  matmul(shape, a.as(shape.type), b.as(shape.type), c.data());
  set_threads_per_operation(1);
  return {c.values().begin(), c.values().end()};
}

struct Case {
  std::int64_t m, n, k;
  bool transpose_a, transpose_b;
};
constexpr Case kCases[] = {{5, 7, 3, false, true},     {130, 33, 65, false, false},
                           {65, 40, 100, true, false}, {700, 48, 2000, true, false},
                           {300, 17, 40, false, true}, {257, 9, 31, true, true},
                           {191, 96, 64, false, true}, {1000, 40, 300, false, false}};

TEST(Matmul, EqualsANaiveLoop) {
  Random random(3);
  for (const Case& c : kCases) {
    const Operand a(c.m * c.k, random), b(c.k * c.n, random);
    for (const DType type : {DType::f32, DType::bf16}) {
      if (!can_multiply(type)) continue;
      const std::vector<float> got = multiply({.m = c.m,
                                               .n = c.n,
                                               .k = c.k,
                                               .transpose_a = c.transpose_a,
                                               .transpose_b = c.transpose_b,
                                               .type = type},
                                              a, b, 1);
      for (std::int64_t i = 0; i < c.m; i += 7) {
        for (std::int64_t j = 0; j < c.n; ++j) {
          double sum = 0, size = 0;
          for (std::int64_t k = 0; k < c.k; ++k) {
            const double product =
                static_cast<double>(a.numbers[index(c.transpose_a ? k * c.m + i : i * c.k + k)]) *
                b.numbers[index(c.transpose_b ? j * c.k + k : k * c.n + j)];
            sum += product;
            size += std::abs(product);
          }
          ASSERT_NEAR(got[index(i * c.n + j)], sum, 1e-6 * size) << i << ", " << j;
        }
      }
    }
  }
}

TEST(Matmul, DoesNotDependOnTheNumberOfThreads) {
  Random random(5);
  for (const Case& c : kCases) {
    const Operand a(c.m * c.k, random), b(c.k * c.n, random);
    for (const DType type : {DType::f32, DType::bf16}) {
      if (!can_multiply(type)) continue;
      const MatmulShape shape{.m = c.m,
                              .n = c.n,
                              .k = c.k,
                              .transpose_a = c.transpose_a,
                              .transpose_b = c.transpose_b,
                              .type = type};
      const std::vector<float> expected = multiply(shape, a, b, 1);
      for (const int threads : {2, 3, 5}) {
        const std::vector<float> got = multiply(shape, a, b, threads);
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)), 0)
            << c.m << " x " << c.k << " x " << c.n << " with " << threads << " threads";
      }
    }
  }
}

TEST(Matmul, ComputesHalfOfASymmetricProduct) {
  Random random(9);
  for (const auto& [side, k] : {std::pair{2, 3}, {64, 40}, {130, 65}, {200, 300}}) {
    const Operand a(side * k, random);
    for (const DType type : {DType::f32, DType::bf16}) {
      if (!can_multiply(type)) continue;
      for (const bool tall : {false, true}) {
        MatmulShape shape{
            .m = side, .n = side, .k = k, .transpose_a = tall, .transpose_b = !tall, .type = type};
        const std::vector<float> whole = multiply(shape, a, a, 1);
        shape.symmetric = true;
        const std::vector<float> got = multiply(shape, a, a, 1);
        for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(got[i], whole[i], 1e-5 * k) << i;
        for (const int threads : {2, 3}) EXPECT_EQ(multiply(shape, a, a, threads), got) << threads;
        const Tensor sum = Tensor::zeros({side, side});
        shape.accumulate = true;
        for (int time = 0; time < 2; ++time) matmul(shape, a.as(type), a.as(type), sum.data());
        for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(sum.data()[i], 2 * got[i], 1e-5 * k) << i;
      }
    }
  }
}

TEST(Narrow, RoundsToTheNearestWithTiesToEven) {
  const auto bits = [](float value) {
    Bf16 out{};
    kernels().narrow(&value, &out, 1);
    return out.bits;
  };
  EXPECT_EQ(bits(1.0f), 0x3f80);
  EXPECT_EQ(bits(1.00390625f), 0x3f80) << "a tie to the even number below";
  EXPECT_EQ(bits(1.01171875f), 0x3f82) << "a tie to the even number above";
  EXPECT_EQ(bits(1.004f), 0x3f81);
  EXPECT_EQ(bits(-3.14159265f), 0xc049);
  EXPECT_EQ(bits(INFINITY), 0x7f80);
  EXPECT_EQ(bits(3.4e38f), 0x7f80) << "above the largest";
  EXPECT_EQ(bits(std::nanf("")) & 0x7f80, 0x7f80);
  EXPECT_NE(bits(std::nanf("")) & 0x7f, 0) << "NaN stays NaN";
}

std::vector<Bf16> narrowed(std::span<const float> numbers) {
  std::vector<Bf16> narrow(numbers.size());
  kernels().narrow(numbers.data(), narrow.data(), static_cast<std::int64_t>(numbers.size()));
  return narrow;
}

/// Expects the rows of a product to be the same in products of fewer rows.
void expect_rows_alone(const MatmulShape& whole, const std::vector<std::int64_t>& row_counts) {
  Random random(2);
  const Tensor a = Tensor::uninitialised({whole.m, whole.k}), b = Tensor::uninitialised({whole.n, whole.k}),
               before = Tensor::uninitialised({whole.m, whole.n});
  for (const Tensor& tensor : {a, b, before}) {
    for (std::int64_t i = 0; i < tensor.count(); ++i) tensor.data()[i] = static_cast<float>(random.normal());
  }
  const std::vector<Bf16> narrow_a = narrowed(a.values()), narrow_b = narrowed(b.values());
  const auto product = [&](std::int64_t rows) {
    const Tensor c = Tensor::uninitialised({rows, whole.n});
    std::copy_n(before.data(), c.count(), c.data());
    MatmulShape shape = whole;
    shape.m = rows;
    const bool wide = whole.type == DType::f32;
    matmul(shape, wide ? a.raw() : narrow_a.data(), wide ? b.raw() : narrow_b.data(), c.data());
    return c;
  };
  const Tensor expected = product(whole.m);
  for (const std::int64_t rows : row_counts) {
    const Tensor part = product(rows);
    ASSERT_TRUE(std::equal(part.data(), part.data() + part.count(), expected.data()))
        << rows << " of " << whole.m << " rows, " << name_of(whole.type) << ", n " << whole.n << ", k "
        << whole.k << ", transposed " << whole.transpose_b << ", accumulated " << whole.accumulate;
  }
}

TEST(Matmul, ARowDoesNotDependOnTheOthers) {
  std::vector<std::int64_t> row_counts;
  for (std::int64_t rows = 2; rows < 132; ++rows) row_counts.push_back(rows);
  for (const DType type : {DType::f32, DType::bf16}) {
    if (!can_multiply(type)) continue;
    for (const bool transpose_b : {false, true}) {
      for (const bool accumulate : {false, true}) {
        const MatmulShape shape{.m = 132, .transpose_b = transpose_b, .accumulate = accumulate, .type = type};
        for (const auto& [k, n] : {std::pair{32, 96}, {512, 96}, {1000, 64}, {7, 5}, {512, 1}}) {
          MatmulShape whole = shape;
          whole.k = k;
          whole.n = n;
          expect_rows_alone(whole, row_counts);
        }
        MatmulShape large = shape;  // oneDNN has other kernels for large products
        large.m = 700;
        for (const std::int64_t n : {384, 1024}) {
          large.n = n;
          large.k = 384;
          expect_rows_alone(large, {2, 48, 49, 78, 90, 130, 360, 480, 511, 512, 699});
        }
      }
    }
  }
}

}  // namespace
}  // namespace gloss
