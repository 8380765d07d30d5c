// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/word_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "base/rounding.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr float kShare = 0.3f;  // of words drawn from translations by spelling, and from learned ones
constexpr float kAnyWord = 1 - 2 * kShare;  // of words drawn as in any sentence
constexpr std::size_t kSide = kLongestSide;

std::vector<float> shares_of(const SideWords& side) {
  std::vector<float> shares(side.spelling.size(), 1);
  for (const TokenId word : side.sentences.tokens()) ++shares[index(word)];
  const float total = static_cast<float>(side.sentences.tokens().size() + side.spelling.size());
  for (float& share : shares) share /= total;
  return shares;
}

/// The log-odds of a word that has this probability as a translation.
double log_odds(float probability, float share) {
  static const double kNothing = std::log(static_cast<double>(kAnyWord));
  return probability > 0 ? std::log(static_cast<double>(kAnyWord + probability / share)) : kNothing;
}

/// Adds a weight with the random signs of a word: words that differ are almost orthogonal (Achlioptas 2003).
void add_signs(std::uint64_t word, float weight, std::span<float> to) {
  Random random(word);
  std::uint64_t signs = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    constexpr std::size_t kBits = 64;
    signs = i % kBits == 0 ? random.bits() : signs >> 1;
    to[i] += (signs & 1) != 0 ? weight : -weight;
  }
}

}  // namespace

/// The beads that begin with the same source sentence.
class WordEvidence::Beginnings {
 public:
  Beginnings(const WordEvidence& evidence, const GainRow& row)
      : evidence_(evidence), row_(row), targets_(evidence.words_.target.sentences) {
    const TokenLines& sources = evidence.words_.source.sentences;
    for (std::int64_t i = row.source; i < std::min(row.source + kLongestSide, sources.size()); ++i) {
      words_.insert(words_.end(), sources[i].begin(), sources[i].end());
      ends_.push_back(words_.size());
    }
    last_ = std::min(row.columns.last + kLongestSide - 1, targets_.size());
    if (sentences() > 0 && last_ > row.columns.first) {
      look_forward();
      look_back();
    }
  }

  void add_gains() const {
    constexpr double kHalf = 0.5;  // both directions describe the same words
    std::vector<float> probabilities(words_.size());
    for (std::int64_t column = row_.columns.first; column < std::min(row_.columns.last, last_); ++column) {
      const std::size_t most = std::min(kSide, index(last_ - column));
      std::array<std::array<double, kSide + 1>, kSide + 1> sums{};  // of [sources][targets]
      std::ranges::fill(probabilities, 0.0f);
      double length = 0;
      std::array<double, kSide + 1> forward{};
      for (std::size_t targets = 1; targets <= most; ++targets) {
        const std::int64_t target = column + static_cast<std::int64_t>(targets) - 1;
        length += static_cast<double>(targets_[target].size());
        const float* const added = reverse_.data() + place(target) * words_.size();
        const auto each = static_cast<float>(1 / std::max(1.0, length));
        double reverse = 0;
        for (std::size_t sources = 1; sources <= sentences(); ++sources) {
          for (std::size_t word = ends_[sources - 1]; word < ends_[sources]; ++word) {
            probabilities[word] += added[word];
            reverse += log_odds(probabilities[word] * each, evidence_.source_shares_[index(words_[word])]);
          }
          forward[sources] += forward_[place(target)][sources - 1];
          sums[sources][targets] = kHalf * (forward[sources] + reverse);
        }
      }
      for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
        const std::size_t sources = index(kBeadShapes[shape].sources),
                          targets = index(kBeadShapes[shape].targets);
        if (sources <= sentences() && targets <= most) {
          row_.at(column, shape) += static_cast<float>(sums[sources][targets]);
        }
      }
    }
  }

 private:
  std::size_t sentences() const { return ends_.size() - 1; }
  std::size_t place(std::int64_t target) const { return index(target - row_.columns.first); }

  /// Sums the log-odds of the words of each target sentence, given the first 1 to 4 source sentences.
  void look_forward() {
    thread_local std::vector<std::array<float, kSide>> probabilities;  // of all target words; 0 between calls
    probabilities.resize(std::max(probabilities.size(), evidence_.target_shares_.size()));
    const auto each_translation = [&](auto use) {
      for (std::size_t sentence = 0; sentence < sentences(); ++sentence) {
        for (std::size_t word = ends_[sentence]; word < ends_[sentence + 1]; ++word) {
          for (const WordTranslation& to : evidence_.forward_[words_[word]]) use(sentence, to);
        }
      }
    };
    each_translation([&](std::size_t sentence, const WordTranslation& to) {
      for (std::size_t i = sentence; i < kSide; ++i) probabilities[index(to.word)][i] += to.probability;
    });
    for (std::int64_t target = row_.columns.first; target < last_; ++target) {
      std::array<double, kSide> sums{};
      for (const TokenId word : targets_[target]) {
        for (std::size_t i = 0; i < sentences(); ++i) {
          const auto each = static_cast<float>(std::max<std::size_t>(1, ends_[i + 1]));
          sums[i] += log_odds(probabilities[index(word)][i] / each, evidence_.target_shares_[index(word)]);
        }
      }
      forward_.push_back(sums);
    }
    each_translation([&](std::size_t, const WordTranslation& to) { probabilities[index(to.word)] = {}; });
  }

  /// Sums the probabilities of the source words, given each target sentence.
  void look_back() {
    thread_local std::vector<float> probabilities;  // of all source words; 0 between calls
    probabilities.resize(std::max(probabilities.size(), evidence_.source_shares_.size()));
    reverse_.reserve(words_.size() * index(last_ - row_.columns.first));
    for (std::int64_t target = row_.columns.first; target < last_; ++target) {
      for (const TokenId word : targets_[target]) {
        for (const WordTranslation& to : evidence_.reverse_[word])
          probabilities[index(to.word)] += to.probability;
      }
      for (const TokenId word : words_) reverse_.push_back(probabilities[index(word)]);
      for (const TokenId word : targets_[target]) {
        for (const WordTranslation& to : evidence_.reverse_[word]) probabilities[index(to.word)] = 0;
      }
    }
  }

  const WordEvidence& evidence_;
  const GainRow& row_;
  const TokenLines& targets_;
  std::vector<TokenId> words_;                      // of the source sentences
  std::vector<std::size_t> ends_{0};                // of the words of each sentence
  std::int64_t last_ = 0;                           // target sentence of a bead, and 1
  std::vector<std::array<double, kSide>> forward_;  // [target sentence][source sentences]
  std::vector<float> reverse_;                      // [target sentence, source word]
};

WordEvidence::WordEvidence(const DocumentWords& words, int threads)
    : words_(words),
      source_shares_(shares_of(words.source)),
      target_shares_(shares_of(words.target)),
      forward_spelling_(translations_by_spelling(words.source.spelling, words.target.spelling, threads)),
      reverse_spelling_(translations_by_spelling(words.target.spelling, words.source.spelling, threads)),
      forward_(mixed(forward_spelling_, {}, kShare)),
      reverse_(mixed(reverse_spelling_, {}, kShare)) {}

void WordEvidence::learn(const Beads& beads, int threads) {
  TokenPairs pairs;
  const auto joined = [](const TokenLines& lines, std::int64_t first, int count) {
    std::vector<TokenId> words;
    for (std::int64_t i = first; i < first + count; ++i)
      words.insert(words.end(), lines[i].begin(), lines[i].end());
    return words;
  };
  for (const Bead& bead : beads) {
    if (!bead.is_pair()) continue;
    pairs.add(joined(words_.source.sentences, bead.source, bead.sources),
              joined(words_.target.sentences, bead.target, bead.targets));
  }
  forward_ = mixed(forward_spelling_,
                   learned_translations({pairs.source, pairs.target},
                                        static_cast<int>(words_.source.spelling.size()), threads),
                   kShare);
  reverse_ = mixed(reverse_spelling_,
                   learned_translations({pairs.target, pairs.source},
                                        static_cast<int>(words_.target.spelling.size()), threads),
                   kShare);
}

void WordEvidence::add_to(const GainRow& row) const { Beginnings(*this, row).add_gains(); }

BlockVectors WordEvidence::vectors(int threads) const {
  constexpr int kWidth = 512;
  constexpr float kFrequent = 4;  // -log of the share of words that say nothing
  const auto add_target = [this](TokenId word, float weight, std::span<float> to) {
    const float rarity = -std::log(target_shares_[index(word)]) - kFrequent;
    if (rarity > 0) add_signs(static_cast<std::uint64_t>(word), weight * rarity, to);
  };
  const auto sums_of = [threads](const SideWords& side, const SentenceRange& range, std::int64_t size,
                                 const auto& add_word) {
    SideVectors words(std::ssize(side.spelling), kWidth), blocks(ceil_div(range.size(), size), kWidth);
    for_each_item(threads, words.size(),
                  [&](std::int64_t word) { add_word(static_cast<TokenId>(word), words[word]); });
    for_each_item(threads, blocks.size(), [&](std::int64_t block) {
      const std::int64_t first = range.first + block * size;
      for (std::int64_t i = first; i < std::min(first + size, range.last); ++i) {
        for (const TokenId word : side.sentences[i]) add_vector(blocks[block], words[word]);
      }
    });
    return blocks;
  };
  return [this, add_target, sums_of](const Paragraph& paragraph, std::int64_t size) {
    const auto add_source = [&](TokenId word, std::span<float> to) {
      for (const auto& [other, probability] : forward_[word]) add_target(other, probability, to);
    };
    return SentenceVectors{sums_of(words_.source, paragraph.source, size, add_source),
                           sums_of(words_.target, paragraph.target, size,
                                   [&](TokenId word, std::span<float> to) { add_target(word, 1, to); })};
  };
}

}  // namespace gloss
