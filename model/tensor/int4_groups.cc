// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/int4_groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"

namespace gloss {
namespace {

constexpr float kLeastInt4 = -8, kMostInt4 = 7;
constexpr int kZeroInt4 = 8;            // added to an integer
constexpr float kToInteger = 12582912;  // 1.5 * 2^23: adding it leaves no bits after the point

/// The integers of a group, and what remains when they are multiplied by the scale.
struct Int4Group {
  float scale = 0;
  float error = std::numeric_limits<float>::infinity();  // sum of squares
  std::array<float, kInt4Group> integers{};
};

float as_float(Bf16 number) { return std::bit_cast<float>(static_cast<std::uint32_t>(number.bits) << 16); }

Bf16 as_bf16(float number) {
  Bf16 narrow{};
  kernels().narrow(&number, &narrow, 1);
  return narrow;
}

/// The group rounded with this scale, itself rounded to bf16.
Int4Group rounded_with(float wanted, std::span<const float> numbers) {
  Int4Group group{.scale = as_float(as_bf16(wanted))};
  const float factor = 1 / group.scale;
  if (!std::isfinite(factor)) return group;
  float error = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float integer = std::clamp(numbers[i] * factor + kToInteger - kToInteger, kLeastInt4, kMostInt4);
    const float off = numbers[i] - integer * group.scale;
    error += off * off;
    group.integers[i] = integer;
  }
  group.error = error;
  return group;
}

/// The scale with the smallest error for these integers.
float least_squares_scale(std::span<const float> numbers, const Int4Group& group) {
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double integer = group.integers[i];
    products += integer * static_cast<double>(numbers[i]);
    squares += integer * integer;
  }
  return static_cast<float>(products / squares);
}

/// Numbers that are computed side by side.
typedef float Quad __attribute__((vector_size(16)));
constexpr std::size_t kQuad = 4;

constexpr std::size_t kSteps = 12, kFirst = 24;  // quarters: the largest becomes 6 to 9 before it is clamped
constexpr std::size_t kQuads = ceil_div(2 * (kSteps + 1), kQuad), kScales = kQuads * kQuad;
using ScaleQuads = std::array<Quad, kQuads>;

/// The sums of the squared errors with all scales, each summed in the order of the numbers, so that the
/// result is the same with every instruction set.
ScaleQuads squared_errors(std::span<const float> numbers, const ScaleQuads& scales) {
  const Quad zeros{}, least = kLeastInt4 - zeros, most = kMostInt4 - zeros;
  ScaleQuads factors{}, errors{};
  for (std::size_t q = 0; q < kQuads; ++q) factors[q] = 1 / scales[q];
  for (const float number : numbers) {
#pragma GCC unroll 8
    for (std::size_t q = 0; q < kQuads; ++q) {
      const Quad integer = number * factors[q] + kToInteger - kToInteger;
      const Quad raised = integer < least ? least : integer;
      const Quad off = number - (raised > most ? most : raised) * scales[q];
      errors[q] += off * off;
    }
  }
  return errors;
}

/// The first scale with the smallest error; 0 if the numbers are too small for all of them.
float best_int4_scale(std::span<const float> numbers) {
  const float largest = *std::ranges::max_element(numbers, {}, [](float number) { return std::abs(number); });
  std::array<float, kScales> wanted{};  // the last one several times
  std::array<Bf16, kScales> narrow{};
  for (std::size_t s = 0; s < kScales; ++s) {
    const float integer = static_cast<float>(kFirst + std::min(s / 2, kSteps)) / 4;
    wanted[s] = largest / (s % 2 == 0 ? -integer : integer);
  }
  kernels().narrow(wanted.data(), narrow.data(), kScales);
  ScaleQuads scales{};
  for (std::size_t s = 0; s < kScales; ++s) scales[s / kQuad][s % kQuad] = as_float(narrow[s]);
  const ScaleQuads errors = squared_errors(numbers, scales);
  float best = 0, least = std::numeric_limits<float>::infinity();
  for (std::size_t s = 0; s < kScales; ++s) {
    const float scale = scales[s / kQuad][s % kQuad], error = errors[s / kQuad][s % kQuad];
    if (!std::isfinite(1 / scale) || !(error < least)) continue;
    least = error;
    best = scale;
  }
  return best;
}

Int4Group best_int4_group(std::span<const float> numbers) {
  Int4Group best = rounded_with(best_int4_scale(numbers), numbers);
  // Numbers too small for a scale become zero.
  if (!std::isfinite(best.error)) return {};
  if (best.error > 0) {
    const Int4Group other = rounded_with(least_squares_scale(numbers, best), numbers);
    if (other.error < best.error) best = other;
  }
  return best;
}

}  // namespace

void quantise_int4(std::span<const float> row, std::uint8_t* bytes, Bf16* scales) {
  std::fill_n(bytes, (row.size() + 1) / 2, static_cast<std::uint8_t>(kZeroInt4 * 17));
  constexpr auto kRowGroup = static_cast<std::size_t>(kInt4Group);
  for (std::size_t first = 0; first < row.size(); first += kRowGroup) {
    const std::span<const float> numbers = row.subspan(first, std::min(kRowGroup, row.size() - first));
    const Int4Group group = best_int4_group(numbers);
    scales[first / kRowGroup] = as_bf16(group.scale);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto half = static_cast<unsigned>(static_cast<int>(group.integers[i]) + kZeroInt4);
      std::uint8_t& byte = bytes[(first + i) / 2];
      byte = static_cast<std::uint8_t>(i % 2 == 0 ? (byte & 0xf0U) | half : (byte & 0x0fU) | half << 4);
    }
  }
}

void dequantise_int4(const Int4Row& row, std::span<float> to) {
  constexpr auto kRowGroup = static_cast<std::size_t>(kInt4Group);
  for (std::size_t first = 0; first < to.size(); first += kRowGroup) {
    const float scale = as_float(row.scales[first / kRowGroup]);
    const std::size_t last = std::min(first + kRowGroup, to.size());
    for (std::size_t i = first; i < last; i += 2) {
      const unsigned byte = row.bytes[i / 2];
      to[i] = static_cast<float>(static_cast<int>(byte & 15U) - kZeroInt4) * scale;
      if (i + 1 < last) to[i + 1] = static_cast<float>(static_cast<int>(byte >> 4U) - kZeroInt4) * scale;
    }
  }
}

}  // namespace gloss
