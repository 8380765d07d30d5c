// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/formats/stored_bytes.h"

namespace gloss {

/// How a number of a foreign file is stored, always little-endian.
enum class NumberType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };
/// Bytes per number.
std::size_t size_of(NumberType);
/// "f32", "bool" and so on, for messages.
const char* name_of(NumberType);

/// Widens stored numbers to f32, exactly (f64, i64 and i32: rounded). `bytes` has as many as `numbers`.
void widen(NumberType, std::span<const std::byte> bytes, std::span<float> numbers);

/// One dimension of an array in its file: `size` positions, `stride` numbers apart.
struct StoredDimension {
  std::int64_t size;
  std::int64_t stride;
};

/// Where the numbers of an array are.
struct StoredNumbers {
  std::shared_ptr<const StoredBytes> source;  ///< keeps the file open
  std::uint64_t start = 0;                    ///< offset of the first number in the source, in bytes
  /// Dimensions of the array, or finer ones in the same row-major order; empty: without gaps.
  std::vector<StoredDimension> dimensions = {};
  /// Quantised numbers are divided by these: by the only one, or each row by its own. Null: not quantised.
  std::shared_ptr<const std::vector<float>> divisors = nullptr;
};

/// Numbers that are read at a time.
inline constexpr std::size_t kNumberWindow = 1 << 16;

/// A window onto the numbers of a source that only moves forwards.
class NumberWindow {
 public:
  /// `end` is the number of numbers in the source.
  NumberWindow(const StoredNumbers&, NumberType, std::size_t end);

  /// Reads on until `position` is the first in the window.
  void move_to(std::size_t position);
  std::size_t end() const { return first_ + numbers_.size(); }
  float operator[](std::size_t position) const { return numbers_[position - first_]; }

 private:
  std::unique_ptr<StoredStream> stream_;
  NumberType type_;
  std::size_t end_;
  std::vector<std::byte> bytes_;
  std::vector<float> numbers_;
  std::size_t first_ = 0;
};

/// A dimension of an array, with the distance of its positions in the file and in the result.
struct StorageStep {
  std::size_t size, stored, result;
};

/// The dimensions in the order of the file, slowest first: the file is read forwards and the result filled in
/// any order.
std::vector<StorageStep> steps_of(std::span<const StoredDimension> dimensions);

/// The first number after those of an array, counted from its first one; none if positions are not in
/// ascending order, as where rows overlap.
std::optional<std::size_t> extent(std::span<const StorageStep> steps);

/// Reads an array with gaps or in another order, in row-major order.
void read_scattered(const StoredNumbers&, NumberType, std::span<float> all);

}  // namespace gloss
