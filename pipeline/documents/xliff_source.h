// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/inline_text.h"
#include "pipeline/documents/xliff_units.h"
#include "pipeline/documents/xml_parser.h"

namespace gloss {

/// Reads the texts of sources in an XLIFF document.
class XliffSource {
 public:
  XliffSource(std::string_view document, std::span<const XmlPiece> pieces)
      : document_(document), pieces_(pieces), text_(document) {}

  /// The texts with their inline elements as marks, as InlineText::finish.
  std::vector<MarkedBytes> read(const XmlElement& source);

 private:
  /// Adds a piece, or an element that is one; returns its last piece.
  std::size_t add(std::size_t piece);
  std::size_t add_element(std::size_t start);
  void add_text(const XmlPiece& piece);
  /// Adds text whose fixed spaces are marks.
  void add_words(ByteRange bytes, std::string_view text, SectionEnds section);

  std::string_view document_;
  std::span<const XmlPiece> pieces_;
  InlineText text_;
};

}  // namespace gloss
