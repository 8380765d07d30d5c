// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// The XXH3-128 sum of bytes that arrive in pieces. It finds damage, not forgery.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view bytes) { add(std::as_bytes(std::span(bytes))); }
  /// 32 hexadecimal digits, as `xxh128sum` prints them.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The sum of some bytes.
std::string checksum(std::string_view bytes);

/// The sum of some bytes as two numbers.
struct ByteHash {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const ByteHash&) const = default;
};
ByteHash byte_hash(std::string_view bytes);

}  // namespace gloss
