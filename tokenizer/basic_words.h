// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string_view>

namespace gloss {

/// Calls `take` with the words of a text as BERT's basic tokenizer finds them: without control characters, in
/// normal form C, split at white space and around punctuation marks and Chinese characters; with `lower_case`
/// in lower case and without accents.
void for_each_basic_word(std::string_view text, bool lower_case,
                         const std::function<void(std::string_view word)>& take);

}  // namespace gloss
