#pragma once

#include <memory>
#include <vector>

#include "pipeline/plain_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// What a model that restores text has to undo (Lewis et al. 2020).
struct NoiseSettings {
  double infill_rate = 0.3;  ///< share of the words that are in spans of which each becomes one mask
  double infill_length = 3;  ///< mean of the Poisson distribution of their lengths in words; 0 puts in a mask
  double permute_rate = 1;   ///< share of the blocks whose sentences come in another order
  double token_mask_rate = 0;  ///< share of the other tokens that become a mask each
  double deletion_rate = 0;    ///< share of them that are missing
};
Fields fields_of(NoiseSettings&);

/// Makes of a block an example with the noisy text, behind what opens it, as source and the text as target;
/// both end with the end token. Ends of lines stay; they separate sentences.
class NoisyBlocks : public BlockExamples {
 public:
  /// The mask is no piece of the vocabulary. `opening`: tokens at most that open a block.
  NoisyBlocks(const Subwords&, TokenId mask, const NoiseSettings&, int opening);

  int further_tokens() const override { return opening_ + 1; }
  void add(const TextBlock&, Random random, Corpus& to) const override;

 private:
  using Tokens = std::vector<TokenId>;
  Tokens permuted(std::span<const TokenId> block, Random&) const;
  Tokens infilled(const Tokens& text, Random&) const;

  NoiseSettings settings_;
  TokenId end_, mask_;
  int opening_;
  std::shared_ptr<const std::vector<bool>> continues_;  // of each piece: it goes on with a word
};

}  // namespace gloss
