// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

struct Masking : testing::Test {
  /// Sentences with words of several pieces.
  std::vector<TokenId> block() const {
    std::vector<TokenId> tokens;
    for (int line = 0; line < 40; ++line) {
      const std::vector<TokenId> ids =
          subwords.encode("the small dog sees a big house number " + std::to_string(line * 7919));
      tokens.insert(tokens.end(), ids.begin(), ids.end());
      tokens.push_back(subwords.end_id());
    }
    return tokens;
  }
  Corpus masked(std::uint64_t seed) const {
    Corpus corpus;
    MaskedBlocks(subwords, subwords.size(), settings).add({0, block()}, Random(seed), corpus);
    return corpus;
  }

  Subwords subwords = small_vocabulary(60);
  MaskSettings settings;
};

TEST_F(Masking, ChoosesTheRequestedShareAndMasksMostOfIt) {
  std::map<std::string, int> kinds;
  int asked = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Corpus corpus = masked(seed);
    const std::vector<TokenId> original = block();
    ASSERT_EQ(corpus.size(), 1u);
    const auto source = corpus.source(0), target = corpus.target(0);
    ASSERT_EQ(source.size(), original.size() + 1);
    ASSERT_EQ(target.size(), source.size());
    EXPECT_EQ(source[0], subwords.begin_id()) << "the class token";
    EXPECT_EQ(target[0], -1);
    for (std::size_t i = 0; i < original.size(); ++i) {
      const bool end = original[i] == subwords.end_id();
      all += end ? 0 : 1;
      if (target[i + 1] < 0) {
        EXPECT_EQ(source[i + 1], original[i]);
        continue;
      }
      ++asked;
      EXPECT_FALSE(end);
      EXPECT_EQ(target[i + 1], original[i]);
      ++kinds[source[i + 1] == subwords.size() ? "mask" : source[i + 1] == original[i] ? "same" : "other"];
      EXPECT_NE(source[i + 1], subwords.end_id());
    }
  }
  EXPECT_NEAR(static_cast<double>(asked) / all, 0.15, 0.001);
  EXPECT_NEAR(static_cast<double>(kinds["mask"]) / asked, 0.8, 0.03);
  EXPECT_NEAR(static_cast<double>(kinds["other"]) / asked, 0.1, 0.02);
  EXPECT_NEAR(static_cast<double>(kinds["same"]) / asked, 0.1, 0.02);
}

TEST_F(Masking, RepeatsFromItsSeedAndDiffersFromOthers) {
  const Corpus one = masked(1), again = masked(1), other = masked(2);
  EXPECT_TRUE(std::ranges::equal(one.source(0), again.source(0)));
  EXPECT_TRUE(std::ranges::equal(one.target(0), again.target(0)));
  EXPECT_FALSE(std::ranges::equal(one.target(0), other.target(0)));
}

TEST_F(Masking, ChoosesWholeWordsOnRequest) {
  settings.whole_words = true;
  settings.rate = 0.3;
  const std::vector<TokenId> original = block();
  int asked = 0, long_words = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Corpus corpus = masked(seed);
    const auto target = corpus.target(0);
    for (std::size_t i = 0; i < original.size(); ++i) {
      asked += target[i + 1] >= 0 ? 1 : 0;
      const bool joined = original[i] != subwords.end_id() && i > 0 &&
                          !subwords.piece(original[i]).starts_with("\xE2\x96\x81");
      if (!joined) continue;
      EXPECT_EQ(target[i + 1] >= 0, target[i] >= 0) << "half of a word";
      long_words += target[i + 1] >= 0 ? 1 : 0;
    }
  }
  EXPECT_GT(long_words, 20);
  EXPECT_NEAR(asked / 10.0 / static_cast<double>(original.size() - 40), 0.3, 0.02);
}

TEST_F(Masking, ChoosesOneTokenOfAShortBlockAndNoneOfAnEmptyOne) {
  const MaskedBlocks blocks(subwords, subwords.size(), settings);
  Corpus corpus;
  blocks.add({0, std::vector<TokenId>{5, subwords.end_id()}}, Random(1), corpus);
  ASSERT_EQ(corpus.size(), 1u);
  EXPECT_EQ(std::vector<TokenId>(corpus.target(0).begin(), corpus.target(0).end()),
            (std::vector<TokenId>{-1, 5, -1}));
  blocks.add({0, std::vector<TokenId>{subwords.end_id(), subwords.end_id()}}, Random(1), corpus);
  EXPECT_EQ(corpus.size(), 1u);
}

}  // namespace
}  // namespace gloss
