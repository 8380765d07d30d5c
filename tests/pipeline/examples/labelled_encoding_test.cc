// SPDX-License-Identifier: Apache-2.0
// Labelled texts as rows of tokens: how they are cut, and how training drops words.
#include "pipeline/examples/labelled_encoding.h"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/examples/piece_words.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

const std::vector<TokenId> kText{10, 11, 12, 13, 14, 15, 2};  // the last one ends it

/// Tokens 11 and 15 continue the word before them.
std::vector<bool> continuations() {
  std::vector<bool> continues(20, false);
  continues[11] = continues[15] = true;
  return continues;
}

TEST(WordDropout, DropsWordsWithAllOfTheirPieces) {
  Random random(1);
  int left_out = 0;
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::vector<TokenId> some = without_some_words(kText, continuations(), 0.25, random);
    ASSERT_GE(some.size(), 2u);
    EXPECT_EQ(some.back(), 2);
    EXPECT_TRUE(std::ranges::is_sorted(some.begin(), some.end() - 1)) << "the order is kept";
    const std::set<TokenId> found(some.begin(), some.end());
    EXPECT_EQ(found.contains(10), found.contains(11));
    EXPECT_EQ(found.contains(14), found.contains(15));
    left_out += found.contains(12) ? 0 : 1;
  }
  EXPECT_NEAR(left_out / static_cast<double>(kDraws), 0.25, 0.03);
}

TEST(WordDropout, KeepsATextThatWouldHaveNoWordLeft) {
  Random random(1);
  for (int draw = 0; draw < 20; ++draw) {
    EXPECT_EQ(without_some_words(std::vector<TokenId>{12, 2}, continuations(), 0.99, random),
              (std::vector<TokenId>{12, 2}));
    EXPECT_EQ(without_some_words(std::vector<TokenId>{2}, continuations(), 0.99, random),
              std::vector<TokenId>{2});
  }
}

TEST(WordDropout, AppliesToTrainingTextOnly) {
  const Subwords subwords = small_vocabulary(60);
  const LabelledEncoder encoder(line_encoder(subwords, Normalization::nfc, 0), subwords, {1, 40},
                                {"bad", "good"}, LabelledNoise{false, 0.5});
  EXPECT_TRUE(encoder.varies());
  const auto row = [&](Random* random) {
    EncodedPairs encoded;
    encoder.encode({"the small dog sees a big house", "good"}, 1, random, encoded);
    const auto tokens = encoded.pairs.source(0);
    return std::vector<TokenId>(tokens.begin(), tokens.end());
  };
  const std::vector<TokenId> whole = row(nullptr);
  EXPECT_EQ(row(nullptr), whole);
  Random random(1);
  std::set<std::vector<TokenId>> found;
  for (int draw = 0; draw < 10; ++draw) found.insert(row(&random));
  EXPECT_GT(found.size(), 3u);
  for (const std::vector<TokenId>& tokens : found) EXPECT_LE(tokens.size(), whole.size());
}

TEST(ClassifiedRow, CutsTheLongestTextAndKeepsEnds) {
  const ClassifiedRow row = classified_row(1, {{{10, 11, 12, 13, 2}}, {{14, 2}}}, 6);
  EXPECT_EQ(row.tokens, (std::vector<TokenId>{1, 10, 11, 2, 14, 2}));
  EXPECT_EQ(row.left_out, 2);
}

TEST(ClassifiedRows, TwoTextsMayHaveTwoEndsBetweenThem) {
  const auto row = [](int most) { return classified_row(1, {{{10, 11, 12, 2}}, {{14, 2}}}, most, 2).tokens; };
  EXPECT_EQ(row(20), (std::vector<TokenId>{1, 10, 11, 12, 2, 2, 14, 2}));
  EXPECT_EQ(row(7), (std::vector<TokenId>{1, 10, 11, 2, 2, 14, 2}));
  EXPECT_EQ(classified_row(1, {{{10, 2}}}, 20, 2).tokens, (std::vector<TokenId>{1, 10, 2}));
}

}  // namespace
}  // namespace gloss
