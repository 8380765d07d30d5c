// SPDX-License-Identifier: Apache-2.0

#include "model/weights_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

using Bytes = std::span<const std::byte>;

/// Small enough for the second reader of a block to find it in the cache.
constexpr std::size_t kBlock = 1 << 17;

Bytes bytes_of(const NamedArray& array) {
  return {static_cast<const std::byte*>(array.data), index(array.shape.count()) * size_of(array.dtype)};
}

/// True if a number has the exponent of infinity and NaN. Without an early end, so that it is computed in
/// vectors.
template <class Number>
bool has_exponent(Bytes numbers, Number exponent) {
  const auto* const bits = reinterpret_cast<const Number*>(numbers.data());
  const std::size_t count = numbers.size() / sizeof(Number);
  Number found = 0;
  for (std::size_t i = 0; i < count; ++i) found |= (bits[i] & exponent) == exponent;
  return found != 0;
}

bool is_finite(Bytes numbers, DType type) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  constexpr std::uint16_t kBf16Exponent = 0x7f80;
  switch (type) {
    case DType::f32:
      return !has_exponent(numbers, kExponent);
    case DType::bf16:
      return !has_exponent(numbers, kBf16Exponent);
    case DType::int8:
    case DType::int4:
      return true;
  }
  throw BrokenPromise("a number type without a check");
}

}  // namespace

std::string check_weights(const SafetensorsFile& file) {
  std::vector<const NamedArray*> arrays;
  for (const auto& [name, array] : file.arrays()) arrays.push_back(&array);
  std::ranges::sort(arrays, {}, [](const NamedArray* array) { return bytes_of(*array).data(); });
  Checksum sum;
  const std::byte* summed = file.bytes().data();
  for (const NamedArray* array : arrays) {
    for (Bytes rest = bytes_of(*array); !rest.empty();) {
      const Bytes block = rest.first(std::min(rest.size(), kBlock));
      rest = rest.subspan(block.size());
      const std::byte* const end = block.data() + block.size();
      sum.add({summed, end});  // with what precedes the array
      summed = end;
      if (is_finite(block, array->dtype)) continue;
      throw InputError(
          concat(file.path(), ": tensor '", array->name,
                 "' has values that are not finite; restore the file, or train the model again"));
    }
  }
  sum.add({summed, file.bytes().data() + file.bytes().size()});
  return sum.text();
}

}  // namespace gloss
