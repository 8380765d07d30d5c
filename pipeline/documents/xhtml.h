// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gloss {

/// True if a page says that it is XHTML: by an XML declaration, its document type, or its name space.
bool is_xhtml(std::string_view page);

/// An XHTML page with the meaning of XML for a parser of HTML, with each byte at its place.
struct XhtmlAsHtml {
  std::string page{};
  /// The names of the elements without content (`<script src="x"/>`) that HTML would leave open, by the place
  /// of their tags, which are comments for the parser now.
  std::map<std::size_t, std::string> empty{};
};
/// CDATA sections become comments up to their end, too.
XhtmlAsHtml xhtml_as_html(std::string_view page);

}  // namespace gloss
