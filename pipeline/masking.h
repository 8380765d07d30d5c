#pragma once

#include <memory>
#include <vector>

#include "pipeline/plain_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// Which tokens a masked model learns to tell.
struct MaskSettings {
  double rate = 0.15;        ///< share of the tokens of a block
  bool whole_words = false;  ///< all pieces of a word, or none
};
Fields fields_of(MaskSettings&);

/// Makes of a block the text with masks, behind the class token, and of each place the token to be told, or
/// -1 (Devlin et al. 2019). Of the chosen tokens 80 % become masks, 10 % any other piece, and 10 % stay as
/// they are, so that a model cannot rely on what it reads. Ends of lines are never chosen.
class MaskedBlocks : public BlockExamples {
 public:
  /// The class token is the vocabulary's begin token; the mask is no piece of it.
  MaskedBlocks(const Subwords&, TokenId mask, const MaskSettings&);

  int further_tokens() const override { return 1; }
  void add(const TextBlock&, Random random, Corpus& to) const override;

 private:
  /// The places of each word that may be chosen, or of each token.
  std::vector<std::vector<std::size_t>> choices(std::span<const TokenId> block) const;

  MaskSettings settings_;
  TokenId class_, end_, mask_;
  std::vector<TokenId> pieces_;                         // all but special ones
  std::shared_ptr<const std::vector<bool>> continues_;  // of each piece: it goes on with a word
};

}  // namespace gloss
