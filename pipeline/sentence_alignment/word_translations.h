// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "pipeline/alignment/token_pairs.h"

namespace gloss {

/// A word of the other side that may translate a word.
struct WordTranslation {
  TokenId word = 0;
  float probability = 0;
};

/// The translations of each word, the most probable first.
class WordTranslations {
 public:
  /// Adds the next word.
  void add(std::span<const WordTranslation> translations) {
    translations_.insert(translations_.end(), translations.begin(), translations.end());
    ends_.push_back(translations_.size());
  }
  std::int64_t size() const { return std::ssize(ends_) - 1; }
  std::span<const WordTranslation> operator[](TokenId word) const {
    const std::size_t start = ends_[index(word)];
    return std::span(translations_).subspan(start, ends_[index(word) + 1] - start);
  }

 private:
  std::vector<WordTranslation> translations_;
  std::vector<std::size_t> ends_{0};  // of the translations of the words before each one, and of the last
};

/// Words that are spelled alike are likely to translate each other: names, numbers, cognates. The same
/// spelling has the weight 1, another one the squared share of common character trigrams; the probabilities
/// of a word sum to 1 at most.
WordTranslations translations_by_spelling(const std::vector<std::u32string>& words,
                                          const std::vector<std::u32string>& others, int threads);

/// Learns how the words of pairs are translated (IBM model 1). The expected count of a translation is reduced
/// by 1: a pair must not vouch for itself.
WordTranslations learned_translations(const PairSides&, int vocabulary, int threads);

/// Adds the probabilities of both, each multiplied by `share`.
WordTranslations mixed(const WordTranslations&, const WordTranslations&, float share);

}  // namespace gloss
