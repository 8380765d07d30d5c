// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Joins what the tokenizer of Moses has divided, if the text has its marks: " @-@ ", or a space before a
/// comma or before the final point. Returns true if the text changed.
bool detokenise(std::string& text, std::string_view language);

}  // namespace gloss
