// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/white_space.h"

#include <array>

#include "tokenizer/characters.h"

namespace gloss {
namespace {

/// True for the possible first bytes of white space.
constexpr std::array<bool, 256> kMayStartBlank = [] {
  std::array<bool, 256> table{};
  for (char32_t c = 0; c < 0x80; ++c) table[c] = is_white_space(c);
  for (const std::size_t lead : {0xc2, 0xe1, 0xe2, 0xe3}) table[lead] = true;
  return table;
}();

}  // namespace

// Non-ASCII white space starts with one of four lead bytes.
std::size_t white_space_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return is_white_space(byte) ? 1 : 0;
  const auto next = [&](std::size_t offset) -> char32_t {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) & 0x3f : 0;
  };
  if (byte == 0xc2) return is_white_space(0x80 | next(1)) ? 2 : 0;
  if (byte < 0xe1 || byte > 0xe3) return 0;
  return is_white_space(((byte & 0x0fu) << 12) | (next(1) << 6) | next(2)) ? 3 : 0;
}

std::string_view trim_end(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t start = end - 1;
    while (start > 0 && end - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
    if (white_space_at(text, start) != end - start) break;
    end = start;
  }
  return text.substr(0, end);
}

std::string_view trim(std::string_view text) {
  while (!text.empty()) {
    const std::size_t blank = white_space_at(text, 0);
    if (blank == 0) break;
    text.remove_prefix(blank);
  }
  return trim_end(text);
}

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!kMayStartBlank[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const std::size_t blank = white_space_at(text, at);
    if (blank == 0) {
      ++at;
      continue;
    }
    if (at > start) words.push_back(text.substr(start, at - start));
    at += blank;
    start = at;
  }
  if (text.size() > start) words.push_back(text.substr(start));
}

}  // namespace gloss
