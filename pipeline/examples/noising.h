// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "pipeline/examples/plain_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The noise that a denoising model learns to remove (Lewis et al. 2020).
struct NoiseSettings {
  double infill_rate = 0.3;  ///< share of the words in spans that become one mask each
  double infill_length =
      3;  ///< mean of the Poisson-distributed span lengths in words; a span of length 0 inserts a mask
  double permute_rate = 1;     ///< share of the blocks whose sentences are shuffled
  double token_mask_rate = 0;  ///< share of the other tokens that become masks
  double deletion_rate = 0;    ///< share of the other tokens that are deleted
};
Fields fields_of(NoiseSettings&);

/// Turns a block into an example: source: the opening tokens and the noisy text; target: the text. Both end
/// with the end token. Ends of lines are kept; they separate sentences.
class NoisyBlocks : public BlockExamples {
 public:
  /// The mask is not in the vocabulary. `opening`: largest number of opening tokens of a block.
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
  std::shared_ptr<const std::vector<bool>> continues_;  // for each piece whether it continues a word
};

}  // namespace gloss
