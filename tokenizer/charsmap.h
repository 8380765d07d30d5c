#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Checks the compiled normalisation rules of a SentencePiece model: a 4-byte size, a double-array trie
/// (Darts-clone) of that size whose values are places in the text after it, then the replacements, each ended
/// by NUL. No lookup of any text may leave the array or the replacements, loop, or find more rules than
/// SentencePiece keeps room for. Throws InputError that starts with `where`.
void check_charsmap(std::string_view map, const std::string& where);

}  // namespace gloss
