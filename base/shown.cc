// SPDX-License-Identifier: Apache-2.0

#include "base/shown.h"

#include "base/text.h"

namespace gloss {
namespace {

/// The last place up to `at` where a character of UTF-8 begins.
std::size_t beginning_of_character(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 160, kStart = 100;
  if (text.size() <= kLongest) return concat("'", text, "'");
  return concat("'", text.substr(0, beginning_of_character(text, kStart)), "...' (", text.size(), " bytes)");
}

std::string without_middle(const std::string& message) {
  constexpr std::size_t kLongest = 4000, kEnd = 1000;
  if (message.size() <= kLongest) return message;
  const std::size_t cut = beginning_of_character(message, kLongest - kEnd);
  const std::size_t rest = beginning_of_character(message, message.size() - kEnd);
  return concat(message.substr(0, cut), " [... ", rest - cut, " bytes ...] ", message.substr(rest));
}

}  // namespace gloss
