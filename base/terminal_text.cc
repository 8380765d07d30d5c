// SPDX-License-Identifier: Apache-2.0

#include "base/terminal_text.h"

#include "base/utf8.h"

namespace gloss {
namespace {

/// True for characters that change how the text around them is shown.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string escape(char32_t code) {
  constexpr const char* kDigits = "0123456789abcdef";
  const bool wide = code > 0xFF;
  std::string text = wide ? "\\u" : "\\x";
  for (int shift = wide ? 12 : 4; shift >= 0; shift -= 4) text += kDigits[code >> shift & 15];
  return text;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Utf8Part part = first_utf8_part(text);
    const std::string_view bytes = text.substr(0, part.size);
    text.remove_prefix(part.size);
    if (!part.valid) {
      for (const char byte : bytes) shown += escape(static_cast<unsigned char>(byte));
    } else if (const char32_t code = code_point(bytes); is_control(code)) {
      shown += escape(code);
    } else {
      shown += bytes;
    }
  }
  return shown;
}

}  // namespace gloss
