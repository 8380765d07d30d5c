// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>
#include <vector>

#include "base/byte_range.h"

namespace gloss {

/// The words, numbers and punctuation marks of a text by Unicode's rules (Unicode Standard Annex 29), from
/// ICU, which has dictionaries for scripts without spaces. White space belongs to none of them. Throws Error
/// if ICU fails. Safe to call on many threads at once.
std::vector<ByteRange> unicode_words(std::string_view text);

}  // namespace gloss
