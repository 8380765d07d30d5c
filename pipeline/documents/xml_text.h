// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "pipeline/documents/section_ends.h"

namespace gloss {

/// A part of a text in an XML document.
struct XmlTextPart {
  ByteRange bytes{};        ///< of the text as it is written
  std::string_view text{};  ///< decoded
  bool is_space = false;    ///< white space; else it has none
  SectionEnds section{};
};

/// Divides a text of an XML document into words and white space, which may be written as references or in
/// CDATA sections. `bytes` and `text`: the text as it is written, and decoded. Joined, the parts are both. A
/// section begins a part.
std::vector<XmlTextPart> xml_text_parts(std::string_view bytes, std::string_view text);

}  // namespace gloss
