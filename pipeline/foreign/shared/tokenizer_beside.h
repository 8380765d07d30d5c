// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/subword.h"

namespace gloss {

/// What the vocabulary of a directory says besides its pieces and the end token.
struct KnownTokens {
  bool begin = true;
  bool never_generated = true;
};
/// The tokenizer of a SentencePiece model with this vocabulary. If the model has these pieces and known
/// tokens already, as exported ones have, it is used as it is.
std::shared_ptr<const Subwords> tokenizer_with_pieces(const std::string& sentence_piece_path,
                                                      const ForeignVocabulary&, const KnownTokens& = {});

/// A side of a model whose vocabulary does not say how text is split.
struct TextSide {
  std::string name;  ///< such as "source"
  KnownTokens known{};
};

/// The tokenizer of a side with this vocabulary. If the directory has a SentencePiece model - NAME.spm,
/// NAME.model, or just one file with such an ending - text is split by it. Else words between spaces are
/// pieces. `where` is the file of the vocabulary.
std::shared_ptr<const Subwords> tokenizer_beside(const std::string& directory, const TextSide&,
                                                 const ForeignVocabulary&, const std::string& where);

}  // namespace gloss
