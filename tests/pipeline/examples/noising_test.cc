// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/noising.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

using Tokens = std::vector<TokenId>;

Tokens tokens(std::span<const TokenId> row) { return {row.begin(), row.end()}; }

struct Noising : testing::Test {
  /// Lines of ten words each.
  Tokens block(int lines) const {
    Tokens all;
    for (int line = 0; line < lines; ++line) {
      const Tokens ids =
          subwords.encode("the small dog sees a big house number " + std::to_string(line * 7919) + " home");
      all.insert(all.end(), ids.begin(), ids.end());
      all.push_back(subwords.end_id());
    }
    return all;
  }
  Corpus noisy(const Tokens& text, std::uint64_t seed, const Tokens& opening = {}) const {
    Corpus corpus;
    NoisyBlocks(subwords, mask(), settings, static_cast<int>(opening.size()))
        .add({subwords.end_id(), text, opening}, Random(seed), corpus);
    return corpus;
  }
  TokenId mask() const { return subwords.size(); }

  Subwords subwords = small_vocabulary(60);
  NoiseSettings settings;
};

TEST_F(Noising, HidesTheShareOfWordsInSpansOfTheMeanLength) {
  settings.permute_rate = 0;
  const Tokens text = block(10);
  double hidden = 0, masks = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Corpus corpus = noisy(text, seed);
    ASSERT_EQ(corpus.size(), 1u);
    EXPECT_EQ(tokens(corpus.target(0)), text);
    const Tokens source = tokens(corpus.source(0));
    EXPECT_LE(source.size(), text.size());
    EXPECT_EQ(std::ranges::count(source, subwords.end_id()), 10) << "ends of lines are kept";
    // Without its masks, the source is a subsequence of the text.
    std::size_t at = 0;
    int words = 0;
    for (const TokenId token : source) {
      if (token == mask()) {
        ++masks;
        continue;
      }
      while (at < text.size() && text[at] != token) ++at;
      ASSERT_LT(at, text.size());
      ++at;
      words += subwords.piece(std::min(token, subwords.size() - 1)).starts_with("\xE2\x96\x81") ? 1 : 0;
    }
    hidden += 100 - words;
  }
  EXPECT_NEAR(hidden / 200, 30, 0.5);
  // Spans end at ends of lines, at other spans, and when enough is hidden, so there are more than 30 / 3.
  EXPECT_GT(masks / 200, 9);
  EXPECT_LT(masks / 200, 18);
}

TEST_F(Noising, PermutesWholeLines) {
  settings.infill_rate = 0;
  const Tokens text = block(6);
  const auto lines = [&](const Tokens& all) {
    std::vector<Tokens> found(1);
    for (const TokenId token : all) {
      found.back().push_back(token);
      if (token == subwords.end_id()) found.emplace_back();
    }
    return found;
  };
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tokens source = tokens(noisy(text, seed).source(0));
    std::vector<Tokens> ours = lines(source), theirs = lines(text);
    moved += ours == theirs ? 0 : 1;
    std::ranges::sort(ours);
    std::ranges::sort(theirs);
    EXPECT_EQ(ours, theirs);
  }
  EXPECT_GT(moved, 15);
  settings.permute_rate = 0;
  EXPECT_EQ(tokens(noisy(text, 1).source(0)), text);
}

TEST_F(Noising, MasksAndDeletesTokens) {
  settings = {.infill_rate = 0, .permute_rate = 0, .token_mask_rate = 0.2, .deletion_rate = 0.1};
  const Tokens text = block(20);
  double masks = 0, missing = 0;
  const double all = static_cast<double>(text.size()) - 20;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Tokens source = tokens(noisy(text, seed).source(0));
    masks += static_cast<double>(std::ranges::count(source, mask()));
    missing += static_cast<double>(text.size() - source.size());
  }
  EXPECT_NEAR(masks / 50 / all, 0.2, 0.01);
  EXPECT_NEAR(missing / 50 / all, 0.1, 0.01);
}

TEST_F(Noising, OpensSourcesAndEndsBothSides) {
  Tokens text = block(1);
  text.pop_back();  // a block that was cut within a line
  const Tokens opening{7, 8};
  const Corpus corpus = noisy(text, 3, opening);
  const Tokens source = tokens(corpus.source(0)), target = tokens(corpus.target(0));
  EXPECT_EQ(Tokens(source.begin(), source.begin() + 2), opening);
  EXPECT_EQ(source.back(), subwords.end_id());
  EXPECT_EQ(target.back(), subwords.end_id());
  EXPECT_EQ(target.size(), text.size() + 1);
  EXPECT_EQ(NoisyBlocks(subwords, mask(), settings, 2).further_tokens(), 3) << "and so both sides fit";
}

TEST_F(Noising, DependsOnItsRandomNumbersOnly) {
  settings.token_mask_rate = settings.deletion_rate = 0.1;
  const Tokens text = block(4);
  EXPECT_EQ(tokens(noisy(text, 5).source(0)), tokens(noisy(text, 5).source(0)));
  EXPECT_NE(tokens(noisy(text, 5).source(0)), tokens(noisy(text, 6).source(0)));
}

TEST_F(Noising, KeepsLinesWithoutWords) {
  const Tokens ends(3, subwords.end_id());
  EXPECT_EQ(tokens(noisy(ends, 1).source(0)), ends);
}

TEST_F(Noising, AnEmptyBlockIsAnEndTokenOnBothSides) {
  const Corpus corpus = noisy({}, 1);
  EXPECT_EQ(tokens(corpus.source(0)), Tokens{subwords.end_id()});
  EXPECT_EQ(tokens(corpus.target(0)), Tokens{subwords.end_id()});
}

}  // namespace
}  // namespace gloss
