// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "pipeline/examples/plain_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// Which tokens a masked language model learns to predict.
struct MaskSettings {
  double rate = 0.15;        ///< share of the tokens of a block
  bool whole_words = false;  ///< all pieces of a word are chosen together
};
Fields fields_of(MaskSettings&);

/// Turns a block into an example (Devlin et al. 2019): source: the class token and the text with masks;
/// target: for each position the token to predict, or -1. Of the chosen tokens, 80 % become masks, 10 % a
/// random piece, and 10 % stay unchanged, so that the model cannot rely on its input. Ends of lines are never
/// chosen.
class MaskedBlocks : public BlockExamples {
 public:
  /// The class token is the vocabulary's begin token; the mask is not in the vocabulary.
  MaskedBlocks(const Subwords&, TokenId mask, const MaskSettings&);

  int further_tokens() const override { return 1; }
  void add(const TextBlock&, Random random, Corpus& to) const override;

 private:
  /// The candidates for masking: the positions of each word, or of each token.
  std::vector<std::vector<std::size_t>> choices(std::span<const TokenId> block) const;

  MaskSettings settings_;
  TokenId class_, end_, mask_;
  std::vector<TokenId> pieces_;                         // all except special tokens
  std::shared_ptr<const std::vector<bool>> continues_;  // for each piece whether it continues a word
};

}  // namespace gloss
