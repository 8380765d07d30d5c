// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Makes bytes of values, for files that the same program on the same machine reads again (PackedReader).
class PackedWriter {
 public:
  /// A number from 0 on; small ones take few bytes.
  void count(std::uint64_t value) {
    constexpr std::uint64_t kMore = 0x80;
    for (; value >= kMore; value >>= 7) bytes_ += static_cast<char>(value | kMore);
    bytes_ += static_cast<char>(value);
  }
  void count(int value) { count(static_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    count(value.size());
    bytes_ += value;
  }
  void number(double value) { raw(&value, sizeof value); }
  void numbers(std::span<const float> values) {
    count(values.size());
    raw(values.data(), values.size_bytes());
  }

  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }

  std::string bytes_;
};

/// Reads what a PackedWriter wrote. If the bytes end early or a value is out of range, this value and all
/// later ones are 0 or empty, and `intact` is false.
class PackedReader {
 public:
  /// The bytes must outlive this object and the texts that it returns.
  explicit PackedReader(std::string_view bytes) : bytes_(bytes) {}

  bool intact() const { return intact_; }
  bool at_end() const { return bytes_.empty(); }

  std::uint64_t count(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  int small_count() { return static_cast<int>(count(std::numeric_limits<int>::max())); }
  std::string_view text() { return take(count(bytes_.size())); }
  double number();
  std::vector<float> numbers();
  /// The number of items that follow, each of one byte or more.
  std::size_t items() { return count(bytes_.size()); }

 private:
  std::string_view take(std::size_t size);
  void fail();

  std::string_view bytes_;
  bool intact_ = true;
};

}  // namespace gloss
