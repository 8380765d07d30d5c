// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>

#include "model/kernels/dtype.h"

namespace gloss {

/// Elements of a row that share a scale; the last group of a row may be shorter.
inline constexpr std::int64_t kInt4Group = 32;
/// Number of groups of a row.
constexpr std::int64_t int4_groups(std::int64_t columns) { return (columns + kInt4Group - 1) / kInt4Group; }

/// A row in 4 bits: byte `i` has element `2 i` in its lower half and `2 i + 1` in its upper half, each as an
/// integer of -8 to 7 plus 8; the upper half after an odd number of elements is 8. A weight is its integer
/// times the scale of its group, exactly: such a product fits into f32.
struct Int4Row {
  const std::uint8_t* bytes = nullptr;
  const Bf16* scales = nullptr;
};

/// Quantises a row of finite numbers: (row.size() + 1) / 2 bytes and int4_groups(row.size()) scales. The
/// scale of a group is the one with the smallest sum of squared errors among those that map its largest
/// magnitude to about -8 or 7, and the least-squares scale of the best of them; negative scales use the one
/// integer more on the negative side. The result is the same with every instruction set.
void quantise_int4(std::span<const float> row, std::uint8_t* bytes, Bf16* scales);
/// Writes the row as f32.
void dequantise_int4(const Int4Row&, std::span<float> to);

}  // namespace gloss
