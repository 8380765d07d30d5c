// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

namespace gloss {

enum class MarkKind { open, close, alone };

/// Markup inside a text: bytes of the document that are not translated, at a place between two characters.
struct Mark {
  MarkKind kind = MarkKind::alone;
  std::size_t at = 0;       ///< byte of the text
  std::size_t partner = 0;  ///< number of the mark that closes or opens this one; pairs are nested
  std::string bytes{};      ///< in the document
  /// Takes the place of the space beside it, as "&nbsp;" does; its bytes have the white space around it.
  bool is_space = false;
  std::size_t place = 0;  ///< of its bytes in the document
  bool apart = false;     ///< alone, with white space on both sides; the text has the one before it
  bool is_copy = false;   ///< a tag repeated because its pair is divided; the document has none at `place`
};

}  // namespace gloss
