// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/support/heard_listener.h"
#include "tests/support/learned_vocabulary.h"

namespace gloss {
namespace {

TEST(WordVocabulary, HasTheMostFrequentWordsInLowerCase) {
  const Subwords subwords = learn(VocabularyType::word, 100, {"The cat, the CAT.", "  Zoë sees\tthe inn"});
  Strings pieces;
  for (int id = 3; id < subwords.size(); ++id) pieces.push_back(subwords.piece(id));
  EXPECT_EQ(pieces, (Strings{"▁the", "▁cat", "▁,", "▁.", "▁inn", "▁sees", "▁zoe"}));
  EXPECT_EQ(subwords.encode("ZOE sees the dog."), (std::vector<int>{9, 8, 3, 0, 6}));
  EXPECT_EQ(subwords.decode(std::vector<int>{9, 8, 3}), "zoe sees the");
  EXPECT_EQ(learn(VocabularyType::word, 5, {"b a a c b a"}).encode("a b c"), (std::vector<int>{3, 4, 0}));
}

TEST(WordVocabulary, MayHaveNoBeginPiece) {
  SubwordSettings settings;
  settings.type = VocabularyType::word;
  settings.begin_piece = false;
  HeardListener heard;
  const Subwords subwords = learn({"a b a"}, settings, heard);
  EXPECT_EQ(subwords.end_id(), 0);
  EXPECT_EQ(subwords.unknown_id(), 1);
  EXPECT_EQ(subwords.begin_id(), -1);
  EXPECT_EQ(subwords.encode("b a x"), (std::vector<int>{3, 2, 1}));
}

TEST(WordVocabulary, RefusesWhatItCannotHave) {
  SubwordSettings settings;
  settings.type = VocabularyType::word;
  EXPECT_NE(refusal(settings, {"", " \t "}).find("nothing to learn"), std::string::npos);
  settings.user_symbols = {"<a>"};
  EXPECT_NE(refusal(settings).find("leave out the user symbols"), std::string::npos) << refusal(settings);
  settings.user_symbols.clear();
  settings.byte_fallback = true;
  EXPECT_NE(refusal(settings).find("leave out the byte fallback"), std::string::npos);
  settings.byte_fallback = false;
  settings.character_coverage = 0.99;
  EXPECT_NE(refusal(settings).find("leave out the character coverage"), std::string::npos);
}

}  // namespace
}  // namespace gloss
