// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/languages.h"
#include "pipeline/reading/line_report.h"

namespace gloss {

/// The strength of the link between each word of a translation and each source word.
struct WordAlignment {
  int sources = 0;  ///< number of source words
  std::vector<float>
      weights;  ///< [target words, sources]; a row sums to at most 1, the rest is on the end token

  int targets() const { return sources == 0 ? 0 : static_cast<int>(weights.size()) / sources; }
  /// The source word with the largest weight for a target word; in a tie the first.
  int best_source(int target) const;
};

/// The attention of a model on a pair of sentences, for each layer and head.
struct AlignedPair : LineReport {
  std::vector<std::string> source, target;  ///< words
  std::string name{};                       ///< on a page, or of the item; empty: the source
  int heads = 0;                            ///< per layer
  int alignment_head = 0;                   ///< of the last layer, from 1, trained to align; 0: none
  std::vector<WordAlignment> maps;          ///< [layers, heads]

  int layers() const { return heads == 0 ? 0 : static_cast<int>(maps.size()) / heads; }
  /// The map of a layer and head, counted from 0; head -1: the mean over the heads.
  WordAlignment map(int layer, int head) const;
  /// The head, from 1, of a layer, from 1, that shows the alignment best; 0: the mean over the heads.
  int usual_head(int layer) const { return layer == layers() ? alignment_head : 0; }
};

/// Sums weights over the columns of a source word and averages them over the rows of a target word.
/// `weights`: [rows, columns]; the vectors give the word of each row and column, -1 for none.
WordAlignment sum_words(std::span<const float> weights, const std::vector<int>& source_word_of_column,
                        const std::vector<int>& target_word_of_row);
/// Sums attention over the pieces of source words and averages it over the pieces of target words.
/// `attention`: [target pieces + end, source pieces + end]; the vectors give the word of each piece.
WordAlignment align_words(std::span<const float> attention, const std::vector<int>& source_word_of_piece,
                          const std::vector<int>& target_word_of_piece);

/// Attention without the tokens around the lines: from [target tokens + end, source tokens + end], with those
/// of the frame, to the same without them and with the targets from left to right. An end that the frame does
/// not have gets no attention.
std::vector<float> without_frame(std::span<const float> attention, const PairFrame&,
                                 std::size_t source_tokens);

/// Pairs SOURCE-TARGET of word numbers from 0, one for each target word ("Pharaoh" format).
std::string hard_alignment_text(const WordAlignment&);
/// The weights of each target word separated by commas, target words separated by spaces.
std::string soft_alignment_text(const WordAlignment&);

}  // namespace gloss
