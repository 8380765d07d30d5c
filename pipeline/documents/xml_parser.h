// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_range.h"

namespace gloss {

enum class XmlKind {
  start,  ///< a start tag, or the tag of an empty element
  end,    ///< an end tag; empty elements have one of no bytes
  text,   ///< text, with references and CDATA sections
  other   ///< a comment or processing instruction
};

/// Some bytes of an XML document.
struct XmlPiece {
  XmlKind kind = XmlKind::other;
  ByteRange bytes{};
  std::string name{};  ///< local name of the element, for tags
  /// Names and values, of start tags. Names have no prefix except "xml:".
  std::vector<std::pair<std::string, std::string>> attributes{};
  std::string text{};        ///< decoded
  bool keeps_space = false;  ///< of text: xml:space="preserve" applies to it

  /// The value of an attribute; "" if there is none.
  std::string attribute(std::string_view attribute_name) const;
};

/// The pieces of the root element of a document, as libxml2 parses it, in their order. Nothing outside of the
/// document is read. Throws InputError with line and column if it is not well-formed, not UTF-8, or has a
/// document type, which could define entities.
std::vector<XmlPiece> xml_pieces(std::string_view document, const std::string& name);

/// The number of the end tag of an element, given that of its start tag.
std::size_t end_of_element(std::span<const XmlPiece>, std::size_t start);

/// The version of libxml2.
std::string libxml2_version();

}  // namespace gloss
