// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/examples/example_encoding.h"
#include "tokenizer/subword.h"

namespace gloss {

/// For each piece of a vocabulary whether it consists of punctuation marks only.
std::shared_ptr<const std::vector<bool>> punctuation_pieces(const Subwords&);

/// A story and a question as input of a network: BEGIN, then each sentence and the question, each followed by
/// END.
struct StoryRow {
  std::vector<TokenId> tokens;
  std::vector<std::size_t> sentences{};  ///< the numbers of the story's sentences that are in the row
  int left_out = 0;                      ///< tokens cut off
  std::int64_t replaced = 0;             ///< invalid UTF-8 sequences
  bool empty = false;                    ///< the story or the question has no words
};

/// Makes rows of stories. Punctuation is left out. If a row has no room, the first sentences are left out;
/// if one sentence and the question are too long, their ends are cut.
class StoryRows {
 public:
  /// `subwords` must outlive this object; `most`: tokens of a row.
  StoryRows(LineEncoder, const Subwords& subwords, TokenId begin, int most);
  /// The row of 'story TAB question'; `dropout` as in LineEncoder.
  StoryRow row(std::string_view text, Random* dropout) const;

 private:
  std::vector<TokenId> words_of(std::string_view text, Random* dropout, StoryRow&) const;

  LineEncoder encoder_;
  std::shared_ptr<const std::vector<bool>> punctuation_;
  TokenId begin_, end_;
  int most_;
};

/// Turns stories with questions into examples: the source is a StoryRow, the only token of the target is the
/// number of the answer, -1 for an unknown answer.
class StoryEncoder : public ExampleEncoder {
 public:
  /// `varies`: whether rows have random parts.
  StoryEncoder(StoryRows rows, std::vector<std::string> answers, bool varies)
      : rows_(std::move(rows)), answers_(std::move(answers)), varies_(varies) {}

  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return varies_; }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  StoryRows rows_;
  std::vector<std::string> answers_;
  bool varies_;
};

}  // namespace gloss
