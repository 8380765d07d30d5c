// SPDX-License-Identifier: Apache-2.0

#include "model/formats/number_type.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace gloss {
namespace {

static_assert(std::endian::native == std::endian::little, "foreign numbers are used without conversion");

float widened_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  const std::uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormal numbers: multiples of 2^-24
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <class Number, class Widen>
void widen_each(std::span<const std::byte> bytes, std::span<float> numbers, Widen one) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Number number;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    numbers[i] = one(number);
  }
}

}  // namespace

void widen(NumberType type, std::span<const std::byte> bytes, std::span<float> numbers) {
  const auto rounded = [](auto number) { return static_cast<float>(number); };
  switch (type) {
    case NumberType::f64:
      return widen_each<double>(bytes, numbers, rounded);
    case NumberType::f32:
      return void(std::memcpy(numbers.data(), bytes.data(), numbers.size_bytes()));
    case NumberType::f16:
      return widen_each<std::uint16_t>(bytes, numbers, widened_half);
    case NumberType::bf16:
      return widen_each<std::uint16_t>(bytes, numbers, [](std::uint16_t bits) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
      });
    case NumberType::i64:
      return widen_each<std::int64_t>(bytes, numbers, rounded);
    case NumberType::i32:
      return widen_each<std::int32_t>(bytes, numbers, rounded);
    case NumberType::i16:
      return widen_each<std::int16_t>(bytes, numbers, rounded);
    case NumberType::i8:
      return widen_each<std::int8_t>(bytes, numbers, rounded);
    case NumberType::u8:
      return widen_each<std::uint8_t>(bytes, numbers, rounded);
    case NumberType::boolean:
      return widen_each<std::uint8_t>(bytes, numbers,
                                      [](std::uint8_t value) { return value != 0 ? 1.0F : 0.0F; });
  }
}

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::f64:
    case NumberType::i64:
      return 8;
    case NumberType::f32:
    case NumberType::i32:
      return 4;
    case NumberType::f16:
    case NumberType::bf16:
    case NumberType::i16:
      return 2;
    default:
      return 1;
  }
}

const char* name_of(NumberType type) {
  constexpr const char* kNames[] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool"};
  return kNames[static_cast<int>(type)];
}

}  // namespace gloss
