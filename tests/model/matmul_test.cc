// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/matmul.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "model/kernels/kernels.h"
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
                           {300, 17, 40, false, true}, {257, 9, 31, true, true}};

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

TEST(Matmul, ARowDoesNotDependOnTheOthers) {
  Random random(2);
  const std::int64_t most = 130;
  for (const auto& [k, n] : {std::pair{32, 96}, {512, 96}, {2048, 96}, {32, 1}, {512, 1}}) {
    Tensor a = Tensor::uninitialised({most, k}), b = Tensor::uninitialised({n, k});
    for (float& v : a.values()) v = static_cast<float>(random.normal());
    for (float& v : b.values()) v = static_cast<float>(random.normal());
    const Tensor whole = linear(a, b, {});
    for (const std::int64_t m : {2, 8, 16, 33, 64, 129}) {
      const Tensor part = linear(Tensor::over(a.data(), {m, k}), b, {});
      for (std::int64_t i = 0; i < m * n; ++i) {
        ASSERT_EQ(part.data()[i], whole.data()[i])
            << m << " rows, k " << k << ", n " << n << ", number " << i;
      }
    }
  }
}

}  // namespace
}  // namespace gloss
