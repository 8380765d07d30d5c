// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gloss {

/// Reads little-endian numbers and texts one after another. Each method throws InputError with `where`, the
/// name of the file, if fewer bytes are left than it needs; `what` names them.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  template <class Number>
  Number number(std::string_view what) {
    Number value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  /// The next `count` bytes.
  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > left()) {
      throw InputError(concat(where_, " is truncated or damaged: expected ", count, " bytes for ", what,
                              " at offset ", offset_, ", found ", left()));
    }
    const auto part = bytes_.subspan(offset_, count);
    offset_ += count;
    return part;
  }
  std::string_view text(std::uint64_t size, std::string_view what) {
    const auto part = take(size, what);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  /// The bytes up to `end`, which is skipped too.
  std::string_view text_before(char end, std::string_view what) {
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + offset_, left());
    const std::size_t size = rest.find(end);
    if (size == std::string_view::npos) {
      throw InputError(
          concat(where_, " is truncated or damaged: ", what, " at offset ", offset_, " has no end"));
    }
    offset_ += size + 1;
    return rest.substr(0, size);
  }

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_.size() - offset_; }
  const std::string& where() const { return where_; }

 private:
  std::span<const std::byte> bytes_;
  std::string where_;
  std::uint64_t offset_ = 0;
};

}  // namespace gloss
