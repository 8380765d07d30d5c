// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/support/heard_listener.h"
#include "tests/support/learned_vocabulary.h"

namespace gloss {
namespace {

TEST(CharacterVocabulary, OrdersCharactersByFrequency) {
  const Subwords subwords = learn(VocabularyType::character, 100, {"bab b", "a\tbé"});
  ASSERT_EQ(subwords.size(), 3 + 5);
  Strings pieces;
  for (int id = 3; id < subwords.size(); ++id) pieces.push_back(subwords.piece(id));
  EXPECT_EQ(pieces, (Strings{"▁", "b", "a", "\t", "é"}));
  EXPECT_EQ(subwords.encode_pieces("ab x"), (Strings{"a", "b", "▁", "x"}));
  EXPECT_EQ(subwords.encode("xé"), (std::vector<int>{0, 7}));
}

TEST(CharacterVocabulary, PreservesText) {
  Strings lines = hard_lines();
  const Subwords subwords = learn(VocabularyType::character, 100'000, lines);
  for (const std::string& line : lines) {
    const bool has_none = line.find('\0') != std::string::npos || line.find("▁") != std::string::npos;
    if (!has_none) expect_exact(subwords, line);
  }
  EXPECT_EQ(subwords.encode_pieces("  the ")[0], "▁");
  EXPECT_EQ(subwords.encode(" the ").size(), 5u);
}

TEST(CharacterVocabulary, FollowsSizeCoverageSymbolsAndByteFallback) {
  SubwordSettings settings;
  settings.type = VocabularyType::character;
  settings.size = 6;
  HeardListener heard;
  EXPECT_EQ(learn({"aaabbc d"}, settings, heard).size(), 6);
  EXPECT_NE(heard.warnings.find("2 rarest of 4 characters"), std::string::npos) << heard.warnings;
  settings.size = 300;
  settings.character_coverage = 0.99;
  EXPECT_EQ(learn({std::string(995, 'a') + "bbbbb"}, settings, heard).size(), 5);
  settings.character_coverage = 1;
  settings.user_symbols = {"<a>", "b"};
  const Subwords with_symbols = learn({"<a>ab<a>c"}, settings, heard);
  EXPECT_EQ(with_symbols.size(), 3 + 2 + 1 + 2);
  EXPECT_EQ(with_symbols.encode_pieces("c<a>b"), (Strings{"c", "<a>", "b"}));
  settings.byte_fallback = true;
  const Subwords with_bytes = learn({"<a>ab<a>c"}, settings, heard);
  EXPECT_EQ(with_bytes.size(), 3 + 2 + 256 + 1 + 2);
  expect_exact(with_bytes, "日本 a");
  settings.size = 261;
  EXPECT_NE(refusal(settings).find("ask for at least 263"), std::string::npos) << refusal(settings);
  settings = {};
  settings.type = VocabularyType::character;
  EXPECT_NE(refusal(settings, {"", "  "}).find("2 lines"), std::string::npos);
  EXPECT_NE(refusal(settings, {std::string(1, '\0')}).find("nothing to learn"), std::string::npos);
}

}  // namespace
}  // namespace gloss
