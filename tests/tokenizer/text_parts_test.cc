// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/text_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/support/learned_vocabulary.h"
#include "tests/support/subword_model.h"

namespace gloss {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for_each_part(text, " ", [&](std::string_view part) { parts.emplace_back(part); });
  return parts;
}

TEST(TextParts, AreShortAndWholeAndPreferSpaces) {
  EXPECT_EQ(parts_of("a b"), (std::vector<std::string>{"a b"}));
  EXPECT_EQ(parts_of(""), (std::vector<std::string>{""}));
  for (const std::string_view unit :
       {"a", "\xE2\x82\xAC", "word ", "two  spaces ", " ", "\xF0\x9F\x91\x8B x"}) {
    const std::string text = repeated(unit, 3 * kLongestPart / unit.size());
    const std::vector<std::string> parts = parts_of(text);
    EXPECT_EQ(join(parts, ""), text);
    EXPECT_GE(parts.size(), 3u);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_LE(parts[i].size(), kLongestPart);
      EXPECT_TRUE(is_valid_utf8(parts[i])) << unit;
      const bool words = unit.find(' ') != std::string_view::npos && unit != " ";
      if (!words) continue;
      EXPECT_EQ(parts[i].front() == ' ', i > 0) << unit;
      if (i + 1 < parts.size()) {
        EXPECT_NE(parts[i].back(), ' ') << unit;
      }
    }
  }
}

/// A long text in all ways of splitting it: ids and pieces agree, and nothing is lost.
void expect_kept(const Subwords& subwords, const std::string& text) {
  const std::vector<int> ids = subwords.encode(text);
  const std::vector<std::string> pieces = subwords.encode_pieces(text);
  ASSERT_EQ(ids.size(), pieces.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == subwords.unknown_id()) continue;
    ASSERT_EQ(subwords.piece(ids[i]), pieces[i]) << i;
  }
  EXPECT_TRUE(subwords.encode_text(text) == join(pieces, " "));
  EXPECT_TRUE(subwords.decode_pieces(pieces) == text) << text.substr(0, 20);
  const bool known = std::ranges::find(ids, subwords.unknown_id()) == ids.end();
  EXPECT_TRUE(!known || subwords.decode(ids) == text) << text.substr(0, 20);
  if (!subwords.reason_against_sampling().empty()) return;
  Random random(1);
  const std::vector<std::string> sampled = subwords.sample_pieces(text, 0.1, random);
  EXPECT_TRUE(subwords.decode_pieces(sampled) == text) << text.substr(0, 20);
}

TEST(TextParts, LongTextIsEncodedWithoutLoss) {
  const std::size_t many = kLongestPart / 2 + 7;
  for (const VocabularyType type :
       {VocabularyType::bpe, VocabularyType::unigram, VocabularyType::character, VocabularyType::byte_bpe}) {
    const Subwords subwords = learn(type, type == VocabularyType::byte_bpe ? 300 : 45);
    expect_kept(subwords, repeated("aba", many));
    expect_kept(subwords, repeated("\xC3\xBC", many));
    expect_kept(subwords, repeated("the cat ", many / 2) + "x");
    expect_kept(subwords, repeated("中文", many));
    expect_kept(subwords, repeated("a中", many));
  }
  const Subwords with_bytes = Subwords::from_bytes(cat_model(byte_pieces(), byte_fallback()), "bytes.model");
  expect_kept(with_bytes, repeated("中文a", many));
  const Subwords with_rules =
      Subwords::from_bytes(cat_model("", "", wire_bytes(2, charsmap())), "rules.model");
  expect_kept(with_rules, repeated("the mat ", many / 4) + "a");
}

TEST(TextParts, ALongRunOfUnknownCharactersIsOnePiece) {
  for (const VocabularyType type :
       {VocabularyType::bpe, VocabularyType::unigram, VocabularyType::character}) {
    const Subwords subwords = learn(type, 45);
    const std::string run = repeated("中文か\u3099\u1112\u1161\u11AB", kLongestPart / 8);
    std::vector<std::string> pieces = subwords.encode_pieces("the 中 cat");
    const auto unknown = std::ranges::find_if(
        pieces, [](const std::string& piece) { return piece.find("中") != std::string::npos; });
    ASSERT_NE(unknown, pieces.end());
    unknown->replace(unknown->find("中"), std::string_view("中").size(), run);
    EXPECT_TRUE(subwords.encode_pieces(concat("the ", run, " cat")) == pieces);
    EXPECT_EQ(subwords.encode(concat("the ", run, " cat")), subwords.encode("the 中 cat"));
  }
}

TEST(TextParts, WordsKeepTheirPiecesInALongLine) {
  for (const VocabularyType type : {VocabularyType::bpe, VocabularyType::unigram, VocabularyType::byte_bpe}) {
    const Subwords subwords = learn(type, type == VocabularyType::byte_bpe ? 300 : 45);
    const std::vector<int> word = subwords.encode("Schlüssel");
    std::vector<int> words;
    for (int i = 0; i < 40'000; ++i) words.insert(words.end(), word.begin(), word.end());
    std::string text = repeated("Schlüssel ", 40'000);
    text.pop_back();
    EXPECT_TRUE(subwords.encode(text) == words);
  }
}

}  // namespace
}  // namespace gloss
