// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/html_pieces.h"

namespace gloss {

/// What gumbo finds in a document, in no order.
struct HtmlTree {
  std::vector<HtmlPiece>
      markup{};                    ///< tags, comments, and elements that are not translated, perhaps repeated
  std::vector<ByteRange> texts{};  ///< may contain tags that gumbo ignores
};
HtmlTree parse_html(std::string_view document);

/// A piece of text with its character references decoded.
std::string html_text(std::string_view piece);

/// The version of gumbo.
std::string gumbo_version();

}  // namespace gloss
