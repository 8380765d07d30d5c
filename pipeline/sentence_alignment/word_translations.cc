// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/word_translations.h"

#include <algorithm>
#include <unordered_map>

#include "base/threads.h"
#include "pipeline/alignment/generation_model.h"

namespace gloss {
namespace {

/// Three characters as one number.
using Trigrams = std::vector<std::uint64_t>;

/// The different trigrams of a word and its ends; none of short words, which are alike by chance.
Trigrams trigrams_of(const std::u32string& word) {
  constexpr std::size_t kShortest = 4;
  constexpr int kBits = 21;  // of a character
  Trigrams trigrams;
  if (word.size() < kShortest) return trigrams;
  const std::u32string all = U' ' + word + U' ';
  for (std::size_t i = 2; i < all.size(); ++i) {
    trigrams.push_back(std::uint64_t{all[i - 2]} << 2 * kBits | std::uint64_t{all[i - 1]} << kBits | all[i]);
  }
  std::ranges::sort(trigrams);
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  return trigrams;
}

/// The words of a side by their spelling.
class SpellingIndex {
 public:
  explicit SpellingIndex(const std::vector<std::u32string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto word = static_cast<TokenId>(i);
      numbers_.emplace(words[i], word);
      const Trigrams trigrams = trigrams_of(words[i]);
      for (const std::uint64_t trigram : trigrams) words_[trigram].push_back(word);
      sizes_.push_back(trigrams.size());
    }
  }

  /// The words that are spelled like a word, the most similar first.
  std::vector<WordTranslation> alike(const std::u32string& word) const {
    constexpr double kLeastSimilar = 0.4;
    constexpr std::size_t kMost = 8, kTooFrequent = 3000;  // words with a trigram that says nothing
    std::unordered_map<TokenId, std::size_t> common;
    const Trigrams trigrams = trigrams_of(word);
    for (const std::uint64_t trigram : trigrams) {
      const auto found = words_.find(trigram);
      if (found == words_.end() || found->second.size() > kTooFrequent) continue;
      for (const TokenId other : found->second) ++common[other];
    }
    const auto same = numbers_.find(word);
    if (same != numbers_.end()) common[same->second] = 0;
    std::vector<WordTranslation> alike;
    for (const auto& [other, count] : common) {
      const bool is_same = same != numbers_.end() && other == same->second;
      const double similarity = is_same ? 1
                                        : 2 * static_cast<double>(count) /
                                              static_cast<double>(trigrams.size() + sizes_[index(other)]);
      if (similarity >= kLeastSimilar) alike.push_back({other, static_cast<float>(similarity * similarity)});
    }
    std::ranges::sort(alike, [](const WordTranslation& a, const WordTranslation& b) {
      return a.probability != b.probability ? a.probability > b.probability : a.word < b.word;
    });
    alike.resize(std::min(alike.size(), kMost));
    float sum = 1;  // at least
    for (float total = 0; const WordTranslation& each : alike) sum = std::max(sum, total += each.probability);
    for (WordTranslation& each : alike) each.probability /= sum;
    return alike;
  }

 private:
  std::unordered_map<std::u32string, TokenId> numbers_;
  std::unordered_map<std::uint64_t, std::vector<TokenId>> words_;  // with a trigram
  std::vector<std::size_t> sizes_;                                 // numbers of trigrams of the words
};

}  // namespace

WordTranslations translations_by_spelling(const std::vector<std::u32string>& words,
                                          const std::vector<std::u32string>& others, int threads) {
  const SpellingIndex spelling(others);
  std::vector<std::vector<WordTranslation>> alike(words.size());
  for_each_item(threads, std::ssize(words),
                [&](std::int64_t word) { alike[index(word)] = spelling.alike(words[index(word)]); });
  WordTranslations translations;
  for (const auto& of_word : alike) translations.add(of_word);
  return translations;
}

WordTranslations learned_translations(const PairSides& sides, int vocabulary, int threads) {
  constexpr int kIterations = 10, kMost = 30;
  std::vector<float> counts(index(vocabulary));
  for (const TokenId word : sides.given.tokens()) ++counts[index(word)];
  const LexicalTable table = ibm_model_1(sides, vocabulary, kIterations, threads);
  WordTranslations translations;
  std::vector<WordTranslation> of_word;
  for (TokenId word = 0; word < vocabulary; ++word) {
    of_word.clear();
    for (const auto& [other, probability] : table.best(word, kMost)) {
      const float left = probability - 1 / counts[index(word)];
      if (left > 0) of_word.push_back({other, left});
    }
    translations.add(of_word);
  }
  return translations;
}

WordTranslations mixed(const WordTranslations& one, const WordTranslations& other, float share) {
  WordTranslations sums;
  std::vector<WordTranslation> of_word;
  for (TokenId word = 0; word < one.size(); ++word) {
    of_word.clear();
    for (const WordTranslations* part : {&one, &other}) {
      if (word >= part->size()) continue;
      for (const auto& [translation, probability] : (*part)[word]) {
        const auto found = std::ranges::find(of_word, translation, &WordTranslation::word);
        if (found == of_word.end()) {
          of_word.push_back({translation, share * probability});
        } else {
          found->probability += share * probability;
        }
      }
    }
    sums.add(of_word);
  }
  return sums;
}

}  // namespace gloss
