// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "tokenizer/subword.h"

namespace gloss {

/// A vocabulary with added symbols. Their ids follow those of the old pieces, in the order given.
struct ExtendedVocabulary {
  Subwords subwords;
  /// For each added symbol, the ids of the old pieces of its text, at least one; the mean of their embeddings
  /// initialises the symbol's embedding. A separate piece for the space before the word is not included.
  std::vector<std::vector<int>> old_pieces;
};

/// The symbols that are not in the vocabulary.
std::vector<std::string> missing_symbols(const Subwords&, const std::vector<std::string>& symbols);

/// Adds symbols that are never split. Old pieces keep their ids, and text without added symbols is encoded as
/// before. Throws UsageError for symbols that are invalid or already in the vocabulary.
ExtendedVocabulary extend_vocabulary(const Subwords&, const std::vector<std::string>& symbols);

}  // namespace gloss
