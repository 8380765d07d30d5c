// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>

namespace gloss {

/// True if a mark that belongs to the text before it begins at this byte: one that ends a sentence or a part
/// of one, or a closing bracket or quotation mark.
bool is_closing_mark_at(std::string_view text, std::size_t at);

}  // namespace gloss
