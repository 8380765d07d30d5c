// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
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

}  // namespace gloss
