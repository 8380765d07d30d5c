// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace gloss {

/// The reference that HTML and XML need for a character of text, such as "&lt;"; empty: the character itself.
constexpr std::string_view reference_to(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    default:
      return "";
  }
}

}  // namespace gloss
