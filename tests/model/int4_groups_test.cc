// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/int4_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "base/random.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

struct Rounded {
  std::vector<std::uint8_t> bytes;
  std::vector<Bf16> scales;
  std::vector<float> numbers;
};

Rounded rounded(const std::vector<float>& row) {
  Rounded result{std::vector<std::uint8_t>((row.size() + 1) / 2, 0xee),
                 std::vector<Bf16>(index(int4_groups(std::ssize(row)))), std::vector<float>(row.size(), 99)};
  quantise_int4(row, result.bytes.data(), result.scales.data());
  dequantise_int4({result.bytes.data(), result.scales.data()}, result.numbers);
  return result;
}

float scale_of(Bf16 scale) { return std::bit_cast<float>(static_cast<std::uint32_t>(scale.bits) << 16); }

std::vector<float> normal_row(std::size_t count, std::uint64_t seed, double size = 1) {
  Random random(seed);
  std::vector<float> row(count);
  for (float& number : row) number = static_cast<float>(random.normal() * size);
  return row;
}

double squared_error(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
  return sum;
}

TEST(Int4, HasTheBytesOfItsDescription) {
  const Rounded result = rounded({-4, 3.5F, 0.5F, 0, -1});  // integers -8 7 1 0 -2 with a scale of 1/2
  EXPECT_EQ(result.bytes, (std::vector<std::uint8_t>{0xf0, 0x89, 0x86}));
  EXPECT_EQ(scale_of(result.scales[0]), 0.5F);
  EXPECT_EQ(result.numbers, (std::vector<float>{-4, 3.5F, 0.5F, 0, -1}));
}

TEST(Int4, KeepsEverythingThatHasAScale) {
  for (const float sign : {1.0F, -1.0F}) {
    std::vector<float> row;
    for (int i = 0; i < 100; ++i) row.push_back(sign * static_cast<float>(i % 16 - 8) * 0.0625F);
    EXPECT_EQ(rounded(row).numbers, row) << "the largest number may be positive or negative";
  }
}

TEST(Int4, RoundsEachNumberToItsNearestOrTheLastOne) {
  for (const std::size_t count : {1U, 2U, 31U, 32U, 33U, 64U, 77U, 512U}) {
    const std::vector<float> row = normal_row(count, count);
    const Rounded result = rounded(row);
    for (std::size_t i = 0; i < count; ++i) {
      const float scale = std::abs(scale_of(result.scales[i / 32]));
      const bool last = std::abs(result.numbers[i]) >= 7 * scale;
      EXPECT_LE(std::abs(result.numbers[i] - row[i]), scale * (last ? 2.0F : 0.5001F)) << count << ", " << i;
    }
  }
}

TEST(Int4, IsCloserThanTheScaleOfTheLargestNumber) {
  double best = 0, plain = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<float> row = normal_row(32, seed);
    best += squared_error(row, rounded(row).numbers);
    float largest = 0;
    for (const float number : row) largest = std::max(largest, std::abs(number));
    std::vector<float> by_largest;
    for (const float number : row) by_largest.push_back(std::round(number / largest * 7) * largest / 7);
    plain += squared_error(row, by_largest);
  }
  EXPECT_LT(best, 0.8 * plain);
}

TEST(Int4, GroupsHaveScalesOfTheirOwn) {
  std::vector<float> row = normal_row(32, 1, 1e-3);
  const std::vector<float> large = normal_row(32, 2, 1e3);
  row.insert(row.end(), large.begin(), large.end());
  const std::vector<float> found = rounded(row).numbers;
  for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(found[i], row[i], 5e-4);
}

TEST(Int4, NumbersWithoutAScaleBecomeZero) {
  EXPECT_EQ(rounded({0, 0, 0}).numbers, (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(rounded({1e-44F, -1e-44F}).numbers, (std::vector<float>{0, 0}));
  const std::vector<float> huge{3.3e38F, -3.3e38F, 1e38F};
  for (const float number : rounded(huge).numbers) EXPECT_TRUE(std::isfinite(number)) << number;
}

TEST(Int4, MatricesAreConvertedRowByRow) {
  constexpr std::int64_t kRows = 5, kColumns = 41;
  const std::vector<float> numbers = normal_row(index(kRows * kColumns), 7);
  const StoredMatrix wide{.numbers = numbers.data(), .rows = kRows, .columns = kColumns};
  const ConvertedMatrix converted(wide, DType::int4);
  const StoredMatrix& narrow = converted.matrix();
  EXPECT_EQ(narrow.type, DType::int4);
  EXPECT_EQ(narrow.bytes(), index(kRows * 21));
  std::vector<float> row(index(kColumns)), part(index(kColumns));
  for (std::int64_t r = 0; r < kRows; ++r) {
    widen_row(narrow, r, row.data());
    const auto first = numbers.begin() + r * kColumns;
    EXPECT_EQ(row, rounded({first, first + kColumns}).numbers) << r;
    widen_row(rows_of(narrow, r, 1), 0, part.data());
    EXPECT_EQ(part, row) << r;
  }
  const ConvertedMatrix back(narrow, DType::f32);
  widen_row(back.matrix(), 4, part.data());
  EXPECT_EQ(part, row);
  const ConvertedMatrix same(narrow, DType::int4);
  EXPECT_EQ(same.matrix().numbers, narrow.numbers) << "already of this type";
}

}  // namespace
}  // namespace gloss
