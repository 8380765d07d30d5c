// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

// The kernels include this file: no standard header with functions here (see loops_vector.h).

namespace gloss {

/// Storage type of a tensor's elements. int8 and int4 are for weights without gradients only; int4 only for
/// weights in a file or memory, never for products.
enum class DType { f32, bf16, int8, int4 };
/// Bytes per element; of int4, those of two elements.
constexpr std::size_t size_of(DType type) { return type == DType::f32 ? 4 : type == DType::bf16 ? 2 : 1; }
/// Bytes of a row of a matrix.
constexpr std::size_t row_bytes(DType type, std::int64_t columns) {
  const auto count = static_cast<std::size_t>(columns);
  return type == DType::int4 ? (count + 1) / 2 : count * size_of(type);
}
constexpr const char* name_of(DType type) {
  return type == DType::f32 ? "f32" : type == DType::bf16 ? "bf16" : type == DType::int8 ? "int8" : "int4";
}

/// The upper half of a 32-bit float: its range with 8 bits of precision ("brain float").
struct Bf16 {
  std::uint16_t bits;
};

/// The DType of a C++ type.
template <class Number>
inline constexpr DType dtype_of = DType::f32;
template <>
inline constexpr DType dtype_of<Bf16> = DType::bf16;

/// Calls `use.operator()<Number>()` with the C++ type of activations stored as `type`: f32 or bf16.
template <class Use>
void for_dtype(DType type, Use use) {
  if (type == DType::f32) {
    use.template operator()<float>();
  } else {
    use.template operator()<Bf16>();
  }
}

}  // namespace gloss
