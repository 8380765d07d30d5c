#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gloss {

/// Text on one line for people to read: what is not UTF-8, control characters and what XML forbids become
/// U+FFFD.
std::string printable_text(std::string_view bytes);
/// Printable text as it may stand in HTML and XML, within an element or a quoted attribute.
std::string markup_text(std::string_view bytes);

/// What an HTML page is made of.
struct PageParts {
  std::string title;           ///< text; everything else is markup
  std::string style;           ///< added to the style of all pages
  std::string body;            ///< comes before data and program
  const nlohmann::json& data;  ///< what the program calls `data`
  std::string program;         ///< follows the functions of all pages
};

/// One HTML page with everything in it: no other file, no network. Text of the data is shown as text,
/// whatever it is.
std::string self_contained_page(const PageParts&);

/// The style of all pages, with colours for light and dark.
extern const char* const kPageStyle;
/// What all pages' programs begin with: `data`, `byId` and `make`.
extern const char* const kPageProgram;

}  // namespace gloss
