// SPDX-License-Identifier: Apache-2.0

#include "base/terminal_text.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

#include "base/index.h"

namespace gloss {
namespace {

/// True for characters that change how the text around them is shown.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string escape(std::uint32_t code) {
  constexpr const char* kDigits = "0123456789abcdef";
  const bool wide = code > 0xFF;
  std::string text = wide ? "\\u" : "\\x";
  for (int shift = wide ? 12 : 4; shift >= 0; shift -= 4) text += kDigits[code >> shift & 15];
  return text;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string shown;
  const auto size = static_cast<std::int32_t>(std::min<std::size_t>(text.size(), 1 << 30));
  for (std::int32_t at = 0; at < size;) {
    const std::int32_t start = at;
    UChar32 code;
    U8_NEXT(text.data(), at, size, code);
    const std::string_view bytes = text.substr(index(start), index(at - start));
    if (code < 0) {  // invalid UTF-8
      for (const char byte : bytes) shown += escape(static_cast<unsigned char>(byte));
    } else if (is_control(static_cast<std::uint32_t>(code))) {
      shown += escape(static_cast<std::uint32_t>(code));
    } else {
      shown += bytes;
    }
  }
  return shown;
}

}  // namespace gloss
