#pragma once

#include <cstddef>
#include <cstdint>

// Included by the loops: nothing of the standard library that has functions.

namespace gloss {

/// What the numbers of a tensor are stored as. Only weights that nobody computes gradients for are int8.
enum class DType { f32, bf16, int8 };
/// Bytes of one number.
constexpr std::size_t size_of(DType type) { return type == DType::f32 ? 4 : type == DType::bf16 ? 2 : 1; }
constexpr const char* name_of(DType type) {
  return type == DType::f32 ? "f32" : type == DType::bf16 ? "bf16" : "int8";
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
