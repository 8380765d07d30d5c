// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"

namespace gloss {

enum class HtmlKind {
  start,  ///< the start tag of an element whose text is translated
  end,    ///< its end tag
  text,   ///< text, with character references
  other   ///< not translated: comments, scripts, elements with translate="no", what is broken
};

/// The value of an attribute that is translated, or of the language of a page.
struct HtmlAttribute {
  ByteRange bytes{};  ///< of the document, with quotes
  std::string text{};
  bool is_language = false;
};

/// Some bytes of an HTML document.
struct HtmlPiece {
  HtmlKind kind = HtmlKind::other;
  ByteRange bytes{};
  std::string element{};                    ///< name of the element, for tags
  bool in_line = true;                      ///< the element is a part of a line of text; else it ends a text
  bool breaks_line = false;                 ///< "br"
  bool is_void = false;                     ///< a start tag without an end tag, such as "img"
  std::string content{};                    ///< the text of an element in a line that is not translated
  std::vector<HtmlAttribute> attributes{};  ///< of a start tag, in their order
};

/// Calls `use` with the pieces of a document, as gumbo parses it, in the order of the bytes; joined, they are
/// all bytes. One after the other, since a large page has millions. Throws InputError, which begins with
/// `name`, if elements are nested too deeply.
void each_html_piece(std::string_view document, const std::string& name,
                     const std::function<void(const HtmlPiece&)>& use);

}  // namespace gloss
