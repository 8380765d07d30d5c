// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/packed_matrix.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "model/kernels/kernels.h"
#include "model/tensor/can_multiply.h"
#include "model/tensor/weight_product.h"

namespace gloss {
namespace {

std::vector<float> random_numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(random.normal()));
  return numbers;
}

std::vector<Bf16> narrowed(const std::vector<float>& x) {
  std::vector<Bf16> narrow(x.size());
  kernels().narrow(x.data(), narrow.data(), static_cast<std::int64_t>(x.size()));
  return narrow;
}

/// x [rows, in], in the type the matrix needs, times the matrix, as f32.
std::vector<float> multiply(const PackedMatrix& matrix, const std::vector<float>& x, std::int64_t rows,
                            const float* bias = nullptr, bool relu = false) {
  const std::vector<Bf16> narrow = narrowed(x);
  const bool wide = matrix.type() == DType::f32;
  std::vector<float> y(index(rows * matrix.out()));
  matrix.multiply({.rows = rows, .bias = bias, .relu = relu, .type = wide ? DType::f32 : DType::bf16},
                  wide ? static_cast<const void*>(x.data()) : narrow.data(), y.data());
  return y;
}

class Packed : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    if (!can_multiply(GetParam())) GTEST_SKIP() << name_of(GetParam()) << " cannot be multiplied";
  }
};

TEST_P(Packed, PassesOnWhatIsNoNumber) {
  constexpr std::int64_t kOut = 37, kIn = 40, kRows = 3;
  const std::vector<float> weight = random_numbers(kOut * kIn, 1);
  const PackedMatrix packed({DType::f32, weight.data(), nullptr, kOut, kIn}, GetParam());
  for (const float wrong : {std::nanf(""), INFINITY, -INFINITY}) {
    for (const std::int64_t at : {0, 17, 39}) {  // of the second row
      std::vector<float> x = random_numbers(kRows * kIn, 2);
      x[index(kIn + at)] = wrong;
      for (const bool relu : {false, true}) {
        const std::vector<float> y = multiply(packed, x, kRows, nullptr, relu);
        const auto is_number = [](float value) { return std::isfinite(value); };
        EXPECT_TRUE(std::all_of(y.begin(), y.begin() + kOut, is_number));
        EXPECT_FALSE(std::all_of(y.begin() + kOut, y.begin() + 2 * kOut, is_number)) << wrong << " at " << at;
        EXPECT_TRUE(std::all_of(y.begin() + 2 * kOut, y.end(), is_number));
      }
    }
  }
}

TEST_P(Packed, MultipliesLikeTheStoredMatrixWithinRounding) {
  // A single panel, and several with a partial panel at the end.
  for (const auto& [out, in] : {std::pair<std::int64_t, std::int64_t>{37, 40}, {4196, 24}}) {
    constexpr std::int64_t kRows = 5;
    const std::vector<float> weight = random_numbers(out * in, 1), x = random_numbers(kRows * in, 2),
                             bias = random_numbers(out, 3);
    const PackedMatrix packed({DType::f32, weight.data(), nullptr, out, in}, GetParam());
    const std::vector<float> y = multiply(packed, x, kRows, bias.data()),
                             cut = multiply(packed, x, kRows, bias.data(), true);
    const double tolerance = GetParam() == DType::f32 ? 1e-5 : GetParam() == DType::bf16 ? 0.03 : 0.06;
    double squares = 0;
    for (std::int64_t r = 0; r < kRows; ++r) {
      for (std::int64_t o = 0; o < out; ++o) {
        double sum = bias[index(o)];
        for (std::int64_t i = 0; i < in; ++i) {
          sum += static_cast<double>(x[index(r * in + i)]) * weight[index(o * in + i)];
        }
        const auto at = index(r * out + o);
        squares += std::pow(y[at] - sum, 2);
        ASSERT_NEAR(y[at], sum, 5 * tolerance * std::sqrt(static_cast<double>(in))) << r << ", " << o;
        ASSERT_EQ(cut[at], std::max(y[at], 0.0f));
      }
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(kRows * out)),
              tolerance * std::sqrt(static_cast<double>(in)));
  }
}

TEST_P(Packed, ARowDoesNotDependOnTheOthers) {
  // A single panel, and two of which the second is partial.
  for (const auto& [out, in] : {std::pair<std::int64_t, std::int64_t>{96, 512}, {2100, 72}}) {
    constexpr std::int64_t kRows = 200;
    const std::vector<float> weight = random_numbers(out * in, 4), x = random_numbers(kRows * in, 5);
    const PackedMatrix packed({DType::f32, weight.data(), nullptr, out, in}, GetParam());
    const std::vector<float> all = multiply(packed, x, kRows);
    for (std::int64_t rows = 2; rows < 132; rows += rows < 68 ? 1 : 7) {
      const std::int64_t first = (kRows - rows) / 2;
      const std::vector<float> some =
          multiply(packed, {x.begin() + first * in, x.begin() + (first + rows) * in}, rows);
      ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin() + first * out))
          << rows << " rows, " << out << " x " << in;
    }
  }
}

TEST_P(Packed, PanelsEqualTheWholeProduct) {
  constexpr std::int64_t kOut = 4500, kIn = 40;
  const std::vector<float> weight = random_numbers(kOut * kIn, 8);
  const PackedMatrix packed({DType::f32, weight.data(), nullptr, kOut, kIn}, GetParam());
  for (const std::int64_t rows : {2, 63, 64, 127, 128, 200}) {
    const std::vector<float> x = random_numbers(rows * kIn, 9), expected = multiply(packed, x, rows);
    std::vector<float> panels(expected.size());
    std::vector<std::int64_t> seen(index(rows));
    const std::vector<Bf16> narrow = narrowed(x);
    const bool wide = GetParam() == DType::f32;
    packed.multiply_by_panels({.rows = rows, .type = wide ? DType::f32 : DType::bf16},
                              wide ? static_cast<const void*>(x.data()) : narrow.data(),
                              [&](std::int64_t row, std::int64_t first, std::int64_t count, const float* y) {
                                EXPECT_EQ(first, seen[index(row)]) << "panels in their order";
                                seen[index(row)] += count;
                                std::copy_n(y, count, panels.begin() + row * kOut + first);
                              });
    EXPECT_EQ(panels, expected) << rows << " rows";
  }
}

TEST_P(Packed, StoringInFewerBitsEqualsRoundingWhenPacked) {
  constexpr std::int64_t kOut = 33, kIn = 40, kRows = 4;
  const std::vector<float> weight = random_numbers(kOut * kIn, 6), x = random_numbers(kRows * kIn, 7);
  const StoredMatrix stored{DType::f32, weight.data(), nullptr, kOut, kIn};
  const ConvertedMatrix converted(stored, GetParam());
  const StoredMatrix& in_file = converted.matrix();
  EXPECT_EQ(in_file.type, GetParam());
  const PackedMatrix packed(stored, GetParam()), from_file(in_file, GetParam());
  EXPECT_EQ(multiply(packed, x, kRows), multiply(from_file, x, kRows));
  // Rows looked up in a table are equal as well.
  std::vector<float> looked_up(kIn), rounded(kIn);
  for (std::int64_t row = 0; row < kOut; ++row) {
    widen_row_as(GetParam(), stored, row, rounded.data());
    widen_row(in_file, row, looked_up.data());
    ASSERT_EQ(rounded, looked_up) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Packed, testing::Values(DType::f32, DType::bf16, DType::int8),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(Quantisation, RoundsRowsThereAndBack) {
  constexpr std::int64_t kRows = 3, kIn = 37;
  std::vector<float> x = random_numbers(kRows * kIn, 3);
  std::fill_n(x.begin() + kIn, kIn, 0.0f);  // a row of zeros
  std::vector<float> rounded(x.size());
  kernels().f32.round_rows(x.data(), rounded.data(), kRows, kIn);
  // A product with the identity quantises rows and scales them back.
  std::vector<std::int8_t> identity(index(kIn * kIn));
  for (std::int64_t i = 0; i < kIn; ++i) identity[index(i * kIn + i)] = 1;
  const std::vector<float> ones(index(kIn), 1);
  const PackedMatrix packed({DType::int8, identity.data(), ones.data(), kIn, kIn}, DType::int8);
  std::vector<float> y(x.size());
  packed.multiply({.rows = kRows, .type = DType::f32}, x.data(), y.data());
  EXPECT_EQ(y, rounded);

  const std::vector<Bf16> narrow = narrowed(x);
  std::vector<float> wide(x.size());
  kernels().widen(narrow.data(), wide.data(), kRows * kIn);
  kernels().f32.round_rows(wide.data(), rounded.data(), kRows, kIn);
  std::vector<Bf16> result(x.size());
  kernels().bf16.round_rows(narrow.data(), result.data(), kRows, kIn);
  std::vector<float> widened(x.size());
  kernels().widen(result.data(), widened.data(), kRows * kIn);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(widened[i], rounded[i], 0.004 * std::abs(rounded[i]));
  }
}

/// Products of rows of x with a weight that rounds its inputs.
std::vector<float> products_of_rounded(const std::vector<float>& x, std::int64_t rows, Tensor weight) {
  weight.round_inputs();
  std::vector<float> y(index(rows * weight.rows()));
  multiply_by_weight({.rows = rows}, x.data(), weight, y.data());
  return y;
}

TEST(Quantisation, AWeightMayRoundItsInputs) {
  constexpr std::int64_t kRows = 3, kIn = 37, kOut = 5;
  const std::vector<float> x = random_numbers(kRows * kIn, 3), numbers = random_numbers(kOut * kIn, 4);
  std::vector<float> rounded(x.size()), expected(index(kRows * kOut));
  kernels().f32.round_rows(x.data(), rounded.data(), kRows, kIn);
  multiply_by_weight({.rows = kRows}, rounded.data(), Tensor::of({kOut, kIn}, numbers), expected.data());
  EXPECT_EQ(products_of_rounded(x, kRows, Tensor::of({kOut, kIn}, numbers)), expected);
}

TEST(Quantisation, RoundedWeightsAndInputsGiveTheProductsOfInt8) {
  constexpr std::int64_t kRows = 4, kIn = 40, kOut = 37;
  const std::vector<float> x = random_numbers(kRows * kIn, 3);
  const Tensor weight = Tensor::of({kOut, kIn}, random_numbers(kOut * kIn, 4));
  const PackedMatrix packed(weight.stored(), DType::int8);
  std::vector<float> expected(index(kRows * kOut));
  packed.multiply({.rows = kRows, .type = DType::f32}, x.data(), expected.data());
  for (std::int64_t row = 0; row < kOut; ++row) round_row(DType::int8, weight.data() + row * kIn, kIn);
  const std::vector<float> y = products_of_rounded(x, kRows, weight);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-4);
}

TEST(Quantisation, KeepsTheLargestValueAndRoundsTheOthers) {
  const std::vector<float> numbers{2.0f, -4.0f, 0.01f, 1.0f, 0, 0, 0, 0};
  const ConvertedMatrix converted({DType::f32, numbers.data(), nullptr, 2, 4}, DType::int8);
  const StoredMatrix& made = converted.matrix();
  const auto* small = static_cast<const std::int8_t*>(made.numbers);
  EXPECT_EQ(std::vector<std::int8_t>(small, small + 8),
            (std::vector<std::int8_t>{64, -127, 0, 32, 0, 0, 0, 0}));
  EXPECT_FLOAT_EQ(made.scales[0], 4.0f / 127);
  EXPECT_EQ(made.scales[1], 0) << "a row of zeros";
}

}  // namespace
}  // namespace gloss
