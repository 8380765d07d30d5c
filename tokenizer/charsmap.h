// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Checks the compiled normalisation rules of a SentencePiece model: a 4-byte size, a double-array trie
/// (Darts-clone) of that size whose values are offsets into the replacements, then the replacements, each
/// terminated by NUL. No lookup may leave the array or the replacements, loop, or match more rules than
/// SentencePiece's buffer holds. Throws InputError that starts with `where`.
void check_charsmap(std::string_view map, const std::string& where);

}  // namespace gloss
