// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>

namespace gloss {

/// How a number of a foreign file is stored, always little-endian.
enum class NumberType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };
/// Bytes per number.
std::size_t size_of(NumberType);
/// "f32", "bool" and so on, for messages.
const char* name_of(NumberType);

/// Widens stored numbers to f32, exactly (f64, i64 and i32: rounded). `bytes` has as many as `numbers`.
void widen(NumberType, std::span<const std::byte> bytes, std::span<float> numbers);

}  // namespace gloss
