#pragma once

#include <span>
#include <string>
#include <vector>

namespace gloss {

/// How strongly each word of a translation belongs to each source word.
struct WordAlignment {
  int sources = 0;             ///< words of the source
  std::vector<float> weights;  ///< [target words, sources]; a row sums to 1 at most, the rest is the end's

  int targets() const { return sources == 0 ? 0 : static_cast<int>(weights.size()) / sources; }
  /// The source word that a target word looks at most; of equal ones the first.
  int best_source(int target) const;
};

/// Adds attention up over the pieces of source words and averages it over the pieces of target words.
/// `attention` is [target pieces and the end, source pieces and the end]; the vectors say of each piece which
/// word it belongs to.
WordAlignment align_words(std::span<const float> attention, const std::vector<int>& source_word_of_piece,
                          const std::vector<int>& target_word_of_piece);

/// Pairs SOURCE-TARGET of word numbers from 0, one for each target word ("Pharaoh" format).
std::string hard_alignment_text(const WordAlignment&);
/// For each target word its weights with commas between; words with spaces between.
std::string soft_alignment_text(const WordAlignment&);

}  // namespace gloss
