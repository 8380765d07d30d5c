// SPDX-License-Identifier: Apache-2.0

#include "base/utf8.h"

#include <algorithm>
#include <cstring>

namespace gloss {

Utf8Part first_utf8_part(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte reveals overlong forms, surrogates and code points above U+10FFFF.
  unsigned char smallest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char largest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= bytes.size() || at(i) < smallest || at(i) > largest) return {i, false};
    smallest = 0x80;
    largest = 0xBF;
  }
  return {size, true};
}

char32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  char32_t code = lead & (0xFF >> (character.size() + 1));  // the lead has a 1 for each byte and a 0
  for (const char byte : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  return code;
}

namespace {

/// The size of the well-formed prefix of `bytes`.
std::size_t valid_prefix(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const Utf8Part part = first_utf8_part(bytes.substr(at));
    if (!part.valid) break;
    at += part.size;
  }
  return at;
}

}  // namespace

bool is_ascii(std::string_view bytes) {
  std::uint64_t all = 0;
  std::size_t at = 0;
  for (; at + sizeof all <= bytes.size(); at += sizeof all) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    all |= eight;
  }
  for (; at < bytes.size(); ++at) all |= static_cast<unsigned char>(bytes[at]);
  return (all & 0x8080808080808080ULL) == 0;
}

bool is_valid_utf8(std::string_view bytes) { return valid_prefix(bytes) == bytes.size(); }

std::int64_t append_valid_utf8(std::string_view bytes, std::string& out) {
  std::int64_t replaced = 0;
  while (true) {
    const std::size_t valid = valid_prefix(bytes);
    out += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) return replaced;
    bytes.remove_prefix(first_utf8_part(bytes).size);
    out += "\xEF\xBF\xBD";
    ++replaced;
  }
}

std::size_t character_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

std::string valid_utf8(std::string_view bytes) {
  std::string out;
  append_valid_utf8(bytes, out);
  return out;
}

}  // namespace gloss
