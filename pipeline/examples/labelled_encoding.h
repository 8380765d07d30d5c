// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/example_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// One or two texts as input of a classifier.
struct ClassifiedRow {
  std::vector<TokenId> tokens;  ///< BEGIN text END, or BEGIN text END text END
  int left_out = 0;             ///< tokens cut off at the ends of texts
};
/// Joins `texts` to at most `most` tokens, including begin and end tokens, by cutting the longest text.
/// `pair_ends`: end tokens after the first of two texts.
ClassifiedRow classified_row(TokenId begin, std::vector<EncodedLine> texts, int most, int pair_ends = 1);

/// Drops each word, with all of its pieces, with probability `rate` (Iyyer et al. 2015). Keeps the end token,
/// and all words if none would be left. `continues`: word_continuations.
std::vector<TokenId> without_some_words(std::span<const TokenId> text, const std::vector<bool>& continues,
                                        double rate, Random&);

/// The random changes of training texts.
struct LabelledNoise {
  bool pieces = false;  ///< whether the encoder uses subword dropout
  double word_dropout = 0;
};

/// How texts become a row.
struct LabelledRows {
  TokenId begin;
  int most;           ///< tokens of a row; longer rows are cut
  int pair_ends = 1;  ///< end tokens after the first of two texts
};

/// Turns labelled texts into examples: one or two texts are the source row, and the number of the label's
/// class is the only token of the target row.
class LabelledEncoder : public ExampleEncoder {
 public:
  LabelledEncoder(LineEncoder, const Subwords&, const LabelledRows&, std::vector<std::string> labels,
                  const LabelledNoise&);

  /// The label must be known.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return noise_.pieces || noise_.word_dropout > 0; }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  LineEncoder encoder_;
  LabelledRows form_;
  std::vector<std::string> labels_;
  LabelledNoise noise_;
  std::shared_ptr<const std::vector<bool>> continues_;  // for each piece whether it continues a word
};

}  // namespace gloss
