// SPDX-License-Identifier: Apache-2.0

#include "model/formats/stored_numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

#include "base/index.h"

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

NumberWindow::NumberWindow(const StoredNumbers& stored, NumberType type, std::size_t end)
    : stream_(stored.source->open()), type_(type), end_(end), bytes_(kNumberWindow * size_of(type)) {
  stream_->skip(stored.start);
}

void NumberWindow::move_to(std::size_t position) {
  const std::size_t read = first_ + numbers_.size();
  stream_->skip((position - read) * size_of(type_));
  first_ = position;
  numbers_.resize(std::min(kNumberWindow, end_ - position));
  const auto bytes = std::span(bytes_).first(numbers_.size() * size_of(type_));
  stream_->read(bytes);
  widen(type_, bytes, numbers_);
}

std::vector<StorageStep> steps_of(std::span<const StoredDimension> dimensions) {
  std::vector<StorageStep> steps;
  std::size_t result = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const auto [size, stride] = dimensions[i];
    if (size != 1) steps.push_back({index(size), index(stride), result});
    result *= index(size);
  }
  std::ranges::stable_sort(steps, std::greater(), &StorageStep::stored);
  return steps;
}

std::optional<std::size_t> extent(std::span<const StorageStep> steps) {
  std::size_t last = 0;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const auto [size, stride, result] = steps[i];
    if (stride < last) return std::nullopt;
    if (stride != 0 && size - 1 > (std::numeric_limits<std::int64_t>::max() - last) / stride) {
      return std::numeric_limits<std::size_t>::max();
    }
    last += (size - 1) * stride;
  }
  return last + 1;
}

void read_scattered(const StoredNumbers& numbers, NumberType type, std::span<float> all) {
  std::vector<StorageStep> steps = steps_of(numbers.dimensions);
  NumberWindow window(numbers, type, *extent(steps));
  const StorageStep inner = steps.back();
  steps.pop_back();
  std::vector<std::size_t> place(steps.size(), 0);
  std::size_t stored = 0, result = 0;
  while (true) {
    for (std::size_t i = 0; i < inner.size;) {
      const std::size_t from = stored + i * inner.stored;
      if (from >= window.end()) window.move_to(from);
      const std::size_t inside =
          inner.stored == 0 ? inner.size : (window.end() - 1 - from) / inner.stored + 1;
      const std::size_t end = i + std::min(inner.size - i, inside);
      for (; i < end; ++i) all[result + i * inner.result] = window[stored + i * inner.stored];
    }
    std::size_t level = steps.size();
    while (level > 0 && place[level - 1] + 1 == steps[level - 1].size) {
      --level;
      stored -= place[level] * steps[level].stored;
      result -= place[level] * steps[level].result;
      place[level] = 0;
    }
    if (level == 0) return;
    ++place[level - 1];
    stored += steps[level - 1].stored;
    result += steps[level - 1].result;
  }
}

}  // namespace gloss
