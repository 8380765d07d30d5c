// SPDX-License-Identifier: Apache-2.0
// Texts of an invented language whose alignment is known.
#include "pipeline/alignment/statistical_aligner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/random.h"
#include "pipeline/alignment/word_numbering.h"

namespace gloss {
namespace {

constexpr int kWords = 40;

/// Source word w is translated by target word w. Two neighbouring words often change places, and some target
/// words have no source (kWords).
struct InventedText {
  TokenPairs pairs;
  std::vector<std::vector<WordLink>> links;

  explicit InventedText(int lines) {
    Random random(5);
    for (int line = 0; line < lines; ++line) {
      std::vector<TokenId> source(4 + random.below(8));
      // Some words are frequent, so that translations alone do not determine the links.
      for (TokenId& word : source)
        word = static_cast<TokenId>(std::min(random.below(kWords), random.below(kWords)));
      std::vector<int> order(source.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
      if (random.below(2) == 0) std::swap(order[1], order[2]);
      std::vector<TokenId> target;
      std::vector<WordLink> of_line;
      for (const int word : order) {
        if (random.below(8) == 0) target.push_back(kWords);
        of_line.push_back({word, static_cast<int>(target.size())});
        target.push_back(source[index(word)]);
      }
      std::ranges::sort(of_line, {}, &WordLink::source);
      pairs.add(source, target);
      links.push_back(of_line);
    }
  }
};

constexpr StatisticalAligner::Settings kSettings{kWords, kWords + 1, 5};

TEST(StatisticalAligner, FindsTheLinksOfAnInventedLanguage) {
  const InventedText text(600);
  Listener listener;
  StatisticalAligner aligner(text.pairs, kSettings, 2, listener);
  std::size_t expected = 0, found = 0, right = 0;
  for (std::int64_t pair = 0; pair < text.pairs.size(); ++pair) {
    const std::vector<WordLink> links = aligner.links(pair, Symmetrisation::grow_diag_final_and);
    const auto& gold = text.links[index(pair)];
    expected += gold.size();
    found += links.size();
    right += index(std::ranges::count_if(
        links, [&](const WordLink& link) { return std::ranges::find(gold, link) != gold.end(); }));
  }
  EXPECT_GT(static_cast<double>(right), 0.97 * static_cast<double>(expected));
  EXPECT_GT(static_cast<double>(right), 0.97 * static_cast<double>(found));
}

TEST(StatisticalAligner, PositionsDecideBetweenEqualWords) {
  // The same word twice: only the order of the words around them tells which is which.
  TokenPairs pairs;
  const std::vector<TokenId> line{0, 1, 0, 2};
  for (int i = 0; i < 20; ++i) {
    pairs.add(line, line);
    for (TokenId word = 0; word < 3; ++word) pairs.add(std::vector{word}, std::vector{word});
  }
  Listener listener;
  StatisticalAligner aligner(pairs, {3, 3, 5}, 1, listener);
  const std::vector<WordLink> diagonal{{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  for (const Symmetrisation method : {Symmetrisation::forward, Symmetrisation::reverse,
                                      Symmetrisation::intersection, Symmetrisation::union_of_both}) {
    EXPECT_EQ(aligner.links(0, method), diagonal);
  }
}

TEST(StatisticalAligner, LinksDoNotDependOnTheNumberOfThreads) {
  const InventedText text(600);
  Listener listener;
  StatisticalAligner one(text.pairs, kSettings, 1, listener), three(text.pairs, kSettings, 3, listener);
  for (std::int64_t pair = 0; pair < text.pairs.size(); ++pair) {
    EXPECT_EQ(one.links(pair, Symmetrisation::union_of_both),
              three.links(pair, Symmetrisation::union_of_both));
  }
}

TEST(StatisticalAligner, PairsWithoutWordsOnASideHaveNoLinks) {
  TokenPairs pairs;
  pairs.add(std::vector<TokenId>{0}, std::vector<TokenId>{0});
  pairs.add(std::vector<TokenId>{}, std::vector<TokenId>{0});
  pairs.add(std::vector<TokenId>{0}, std::vector<TokenId>{});
  Listener listener;
  StatisticalAligner aligner(pairs, {1, 1, 2}, 1, listener);
  EXPECT_EQ(aligner.links(0, Symmetrisation::forward), (std::vector<WordLink>{{0, 0}}));
  EXPECT_TRUE(aligner.links(1, Symmetrisation::union_of_both).empty());
  EXPECT_TRUE(aligner.links(2, Symmetrisation::union_of_both).empty());
}

TEST(WordNumbering, NumbersWordsInOrderOfAppearance) {
  WordNumbering words;
  EXPECT_EQ(words.numbers(" the cat\tthe  dog\r"), (std::vector<TokenId>{0, 1, 0, 2}));
  EXPECT_EQ(words.numbers("dog The"), (std::vector<TokenId>{2, 3}));
  EXPECT_TRUE(words.numbers(" \t").empty());
  EXPECT_EQ(words.size(), 4);
}

}  // namespace
}  // namespace gloss
