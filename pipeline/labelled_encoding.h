#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/example_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// A text, or two, as a network reads it that tells classes.
struct ClassifiedRow {
  std::vector<TokenId> tokens;  ///< BEGIN text END, or BEGIN text END text END
  int left_out = 0;             ///< tokens at the ends of texts for which there was no room
};
/// `texts` with their ends, of at most `most` tokens together with the begin token; the longest text is cut.
ClassifiedRow classified_row(TokenId begin, std::vector<EncodedLine> texts, int most);

/// Leaves words out, each with probability `rate` (Iyyer et al. 2015), with all of their pieces; the end
/// stays, and so does a text that would have no word left. `continues`: word_continuations.
std::vector<TokenId> without_some_words(std::span<const TokenId> text, const std::vector<bool>& continues,
                                        double rate, Random&);

/// How texts are changed while a network learns from them.
struct LabelledNoise {
  bool pieces = false;  ///< the encoder cuts words by chance
  double word_dropout = 0;
};

/// Turns texts with labels into examples: a text, or two, is a source row, and the number of its label's
/// class is the only token of the target row.
class LabelledEncoder : public ExampleEncoder {
 public:
  /// `most`: tokens of a row; what is longer is cut.
  LabelledEncoder(LineEncoder, const Subwords&, TokenId begin, std::vector<std::string> labels, int most,
                  const LabelledNoise&);

  /// The label must be a known one.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return noise_.pieces || noise_.word_dropout > 0; }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  LineEncoder encoder_;
  TokenId begin_;
  std::vector<std::string> labels_;
  int most_;
  LabelledNoise noise_;
  std::shared_ptr<const std::vector<bool>> continues_;  // of each piece: it goes on with a word
};

}  // namespace gloss
