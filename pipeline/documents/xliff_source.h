// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/documents/inline_text.h"
#include "pipeline/documents/xliff_units.h"
#include "pipeline/documents/xml_parser.h"

namespace gloss {

/// Reads the texts of sources in an XLIFF document.
class XliffSource {
 public:
  XliffSource(std::string_view document, std::span<const XmlPiece> pieces)
      : document_(document), pieces_(pieces), text_(document) {}

  /// The text with its inline elements as marks; nothing if it has no letter to translate.
  std::optional<MarkedBytes> read(const XmlElement& source);

 private:
  /// Adds a piece, or an element that is one; returns its last piece.
  std::size_t add(std::size_t piece);
  std::size_t add_element(std::size_t start);
  void add_text(const XmlPiece& piece);
  void add_words(const XmlPiece& piece, ByteRange range, std::string_view text);

  std::string_view document_;
  std::span<const XmlPiece> pieces_;
  InlineText text_;
};

}  // namespace gloss
