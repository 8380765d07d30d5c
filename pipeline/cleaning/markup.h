// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gloss {

/// True if there is an opening tag with its end, outside of comments, as the HTML parser of Python finds it.
bool has_opening_tag(std::u32string_view text);

/// The number of tags and comments, and of tags without end.
std::size_t markup_count(std::string_view text);
/// Removes them, except tags of elements that have a text for readers who see none (alt).
bool remove_markup(std::string& text);

/// The number of entities.
std::size_t entity_count(std::string_view text);
/// Replaces entities by their characters, and those that then appear, up to four times: text may be escaped
/// more than once.
bool decode_entities(std::string& text);

}  // namespace gloss
