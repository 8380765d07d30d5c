#pragma once

#include <string>
#include <vector>

#include "tokenizer/subword.h"

namespace gloss {

/// A vocabulary with further symbols, whose ids follow those of the old pieces in the order given.
struct ExtendedVocabulary {
  Subwords subwords;
  /// Of each symbol, the ids of the pieces that its text was before, at least one: the mean of their
  /// embeddings is a start for its own. The space before a word, if it is a piece by itself, still is one and
  /// not among them.
  std::vector<std::vector<int>> old_pieces;
};

/// Those of the symbols that are no pieces.
std::vector<std::string> missing_symbols(const Subwords&, const std::vector<std::string>& symbols);

/// Adds symbols that are always one piece. Old pieces keep their ids, and text without a new symbol its
/// pieces. Throws UsageError for symbols that cannot be, or are in the vocabulary already.
ExtendedVocabulary extend_vocabulary(const Subwords&, const std::vector<std::string>& symbols);

}  // namespace gloss
