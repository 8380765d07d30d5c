// SPDX-License-Identifier: Apache-2.0
// Products of int8 with each instruction set of the processor, compared with sums of integers.
#include "model/kernels/int8_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/random.h"
#include "model/kernels/kernels.h"

namespace gloss {
namespace {

std::vector<InstructionSet> sets_of_processor() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set :
       {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avxvnni, InstructionSet::avx512,
        InstructionSet::avx512_vnni, InstructionSet::avx512_bf16}) {
    if (processor_has(set)) sets.push_back(set);
  }
  return sets;
}

struct Int8Sizes {
  std::int64_t rows, in, out;
};

/// The operands and operations of a product.
struct Int8Case {
  Int8Sizes sizes{};
  std::vector<float> x;              // [rows, in]
  std::vector<std::int8_t> weights;  // [out, in]
  std::vector<float> scales, bias;   // [out]
  bool relu = false;
};

/// The product of a case with the kernels of a set. Each row of the result is followed by a number that must
/// stay.
template <class Number>
std::vector<Number> int8_result(InstructionSet set, const Int8Case& c) {
  const Kernels kernels = kernels_of(set);
  const auto [rows, in, out] = c.sizes;
  std::vector<std::uint8_t> numbers(index(rows) * kernels.int8.row_bytes(in));
  std::vector<float> scales(index(rows));
  std::vector<std::int32_t> offsets(index(rows));
  const Int8Rows quantised{numbers.data(), scales.data(), offsets.data(), rows, in};
  kernels.f32.quantise_rows(c.x.data(), quantised);
  std::vector<std::int8_t> packed(kernels.int8.packed_bytes(out, in));
  kernels.pack_int8(c.weights.data(), packed.data(), out, in);
  std::vector<Number> y(index(rows * (out + 1)));
  kernels.of<Number>().multiply_int8({.x = quantised,
                                      .weights = packed.data(),
                                      .column_scales = c.scales.data(),
                                      .bias = c.bias.empty() ? nullptr : c.bias.data(),
                                      .relu = c.relu,
                                      .y = y.data(),
                                      .y_stride = out + 1,
                                      .columns = out});
  return y;
}

/// Integers as x, with a largest magnitude of 127 in each row, so that they stay the same.
Int8Case int8_case(const Int8Sizes& sizes, int x(Random&), int weight(Random&)) {
  Random random(static_cast<std::uint64_t>(sizes.rows * 1000 + sizes.in + sizes.out));
  Int8Case c;
  c.sizes = sizes;
  for (std::int64_t i = 0; i < sizes.rows * sizes.in; ++i) {
    c.x.push_back(static_cast<float>(i % sizes.in == i / sizes.in % sizes.in ? 127 : x(random)));
  }
  for (std::int64_t i = 0; i < sizes.in * sizes.out; ++i) {
    c.weights.push_back(static_cast<std::int8_t>(weight(random)));
  }
  c.scales.assign(index(sizes.out), 1);
  return c;
}

int any_int8(Random& random) { return static_cast<int>(random.below(255)) - 127; }
int largest_int8(Random&) { return 127; }
int smallest_int8(Random&) { return -127; }
int zero_int8(Random&) { return 0; }
int extreme_int8(Random& random) { return random.below(2) == 0 ? 127 : -127; }
int minus_128(Random&) { return -128; }

const Int8Sizes kInt8Sizes[] = {{1, 1, 1},     {2, 3, 5},     {3, 64, 17},  {5, 40, 37},
                                {7, 513, 33},  {13, 17, 64},  {25, 96, 8},  {32, 128, 100},
                                {64, 31, 130}, {127, 20, 16}, {6, 2048, 48}};

TEST(Int8Product, EqualsTheSumsOfIntegersWithEachInstructionSet) {
  using Choose = int (*)(Random&);
  const std::pair<Choose, Choose> kinds[] = {
      {any_int8, any_int8},          {largest_int8, largest_int8}, {smallest_int8, smallest_int8},
      {largest_int8, smallest_int8}, {extreme_int8, extreme_int8}, {smallest_int8, minus_128},
      {largest_int8, minus_128},     {zero_int8, any_int8},        {any_int8, zero_int8}};
  for (const InstructionSet set : sets_of_processor()) {
    for (const Int8Sizes& sizes : kInt8Sizes) {
      for (const auto& [x, weight] : kinds) {
        const Int8Case c = int8_case(sizes, x, weight);
        const std::vector<float> y = int8_result<float>(set, c);
        for (std::int64_t row = 0; row < sizes.rows; ++row) {
          for (std::int64_t o = 0; o < sizes.out; ++o) {
            std::int64_t sum = 0;
            for (std::int64_t i = 0; i < sizes.in; ++i) {
              sum += static_cast<int>(c.x[index(row * sizes.in + i)]) * c.weights[index(o * sizes.in + i)];
            }
            ASSERT_EQ(y[index(row * (sizes.out + 1) + o)], static_cast<float>(sum))
                << name_of(set) << ", " << sizes.rows << " x " << sizes.in << " x " << sizes.out << ", row "
                << row << ", output " << o;
          }
          ASSERT_EQ(y[index(row * (sizes.out + 1) + sizes.out)], 0) << name_of(set) << ": behind row " << row;
        }
      }
    }
  }
}

/// Normal numbers, with rows of zeros, of very small and very large numbers.
Int8Case usual_int8_case(const Int8Sizes& sizes, bool relu) {
  Random random(7);
  Int8Case c = int8_case(sizes, any_int8, any_int8);
  for (float& value : c.x) value = static_cast<float>(random.normal());
  for (std::int64_t row = 0; row < sizes.rows; ++row) {
    const float factor = row % 5 == 1 ? 0.0f : row % 5 == 2 ? 1e-33f : row % 5 == 3 ? 1e36f : 1.0f;
    for (std::int64_t i = 0; i < sizes.in; ++i) c.x[index(row * sizes.in + i)] *= factor;
  }
  for (float& scale : c.scales) scale = static_cast<float>(random.uniform()) / 100;
  for (std::int64_t o = 0; o < sizes.out; ++o) c.bias.push_back(static_cast<float>(random.normal()));
  c.relu = relu;
  return c;
}

template <class Number>
void expect_same_int8_bits() {
  for (const Int8Sizes& sizes : kInt8Sizes) {
    for (const bool relu : {false, true}) {
      const Int8Case c = usual_int8_case(sizes, relu);
      const std::vector<Number> expected = int8_result<Number>(InstructionSet::avx2, c);
      for (const InstructionSet set : sets_of_processor()) {
        if (set == InstructionSet::portable) continue;  // rounds before it adds the bias
        const std::vector<Number> found = int8_result<Number>(set, c);
        ASSERT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(Number)), 0)
            << name_of(set) << ", " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
      }
    }
  }
}

TEST(Int8Product, HasTheSameBitsWithEachInstructionSet) {
  if (!processor_has(InstructionSet::avx2)) GTEST_SKIP() << "a single instruction set";
  expect_same_int8_bits<float>();
  expect_same_int8_bits<Bf16>();
}

TEST(Int8Product, ARowWithWhatIsNoNumberHasNoNumbers) {
  for (const InstructionSet set : sets_of_processor()) {
    for (const float wrong : {std::nanf(""), INFINITY, -INFINITY}) {
      for (const bool relu : {false, true}) {
        Int8Case c = usual_int8_case({4, 37, 19}, relu);
        c.x[37 + 36] = wrong;
        const std::vector<float> y = int8_result<float>(set, c);
        for (std::int64_t row = 0; row < 4; ++row) {
          for (std::int64_t o = 0; o < 19; ++o) {
            EXPECT_EQ(std::isnan(y[index(row * 20 + o)]), row == 1) << name_of(set) << ", row " << row;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gloss
