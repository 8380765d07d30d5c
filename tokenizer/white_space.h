// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gloss {

/// Size in bytes of the white space character at offset `at`; 0 if there is none.
std::size_t white_space_at(std::string_view text, std::size_t at);

/// `text` without trailing Unicode white space.
std::string_view trim_end(std::string_view text);
/// `text` without leading and trailing Unicode white space.
std::string_view trim(std::string_view text);

/// Splits valid UTF-8 at runs of Unicode white space; the words point into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

}  // namespace gloss
