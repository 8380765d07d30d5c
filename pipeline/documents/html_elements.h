// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace gloss {

/// How an HTML element stands in text.
enum class HtmlElement {
  block,      ///< ends a text
  in_line,    ///< a part of a line of text
  kept,       ///< a part of a line whose content is not translated
  kept_block  ///< ends a text; its content is not translated
};

/// `name` in lower case. Unknown elements are parts of lines.
HtmlElement html_element(std::string_view name);
/// True for attributes whose values readers of a page see or hear (the HTML standard and WAI-ARIA list them).
/// `kind`: the `type` of an input element, the `name` or `property` of a meta element, in lower case.
bool is_visible_attribute(std::string_view element, std::string_view attribute, std::string_view kind);
/// True for elements without an end tag.
bool is_void_element(std::string_view name);

}  // namespace gloss
