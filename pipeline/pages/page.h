// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gloss {

/// Text for display on one line: invalid UTF-8, control characters and characters that XML forbids become
/// U+FFFD. Text that changes the direction of writing is isolated, so that it does not turn what follows it.
std::string printable_text(std::string_view bytes);
/// Printable text, escaped for elements and quoted attributes of HTML and XML.
std::string markup_text(std::string_view bytes);

/// The parts of an HTML page.
struct PageParts {
  std::string title;           ///< plain text; the other parts are markup
  std::string style;           ///< appended to kPageStyle
  std::string body;            ///< precedes data and script
  const nlohmann::json& data;  ///< the variable `data` of the script
  std::string program;         ///< the script, appended to kPageProgram
};

/// An HTML page that needs no other file and no network. Markup in the data is shown as text.
std::string self_contained_page(const PageParts&);

}  // namespace gloss
