// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/characters.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace gloss {
namespace {

TEST(Characters, LowerCaseIsFullAndLanguageIndependent) {
  EXPECT_EQ(lower_case("ABC xyz 1"), "abc xyz 1");
  EXPECT_EQ(lower_case("ÄÖÜ ẞ"), "äöü ß");
  EXPECT_EQ(lower_case("İ"), "i\xCC\x87");  // one letter becomes two code points
  EXPECT_EQ(lower_case("I"), "i");          // not the Turkish dotless i
}

TEST(Characters, SigmaIsFinalAtTheEndOfAWordOnly) {
  EXPECT_EQ(lower_case("ΟΔΥΣΣΕΥΣ"), "οδυσσευς");
  EXPECT_EQ(lower_case("ΣΑΣ ΣΑΣ."), "σας σας.");
  EXPECT_EQ(lower_case("Σ"), "σ");
  EXPECT_EQ(lower_case("ΑΣ'Α"), "ασ'α");  // an apostrophe does not end the word
}

TEST(Characters, InvalidBytesBecomeReplacementCharacters) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\xEF\xBF\xBD");  // a truncated character is one invalid part
  EXPECT_EQ(valid_utf8("\xed\xa0\x80").size(), 9u);   // a surrogate is three invalid parts
  EXPECT_EQ(valid_utf8(std::string_view("a\0b", 3)).size(), 3u);
  EXPECT_TRUE(is_valid_utf8("größe 😀"));
  EXPECT_FALSE(is_valid_utf8("\xc3"));
  EXPECT_EQ(code_points("aß😀"), U"aß😀");
}

TEST(Characters, WhiteSpaceIsTheSameAsPythons) {
  for (const char32_t c :
       {U'\t', U'\n', U'\r', U'\x1c', U'\x1f', U' ', U'\x85', U'\xa0', U'\x2028', U'\x3000'})
    EXPECT_TRUE(is_white_space(c)) << std::hex << static_cast<unsigned>(c);
  for (const char32_t c : {U'\0', U'a', U'\x200b', U'\xfeff', U'\x180e', U'\x2060'})
    EXPECT_FALSE(is_white_space(c)) << std::hex << static_cast<unsigned>(c);
}

TEST(Characters, CategoriesFollowUnicode) {
  EXPECT_TRUE(is_punctuation(U'„') && is_punctuation(U'-') && !is_punctuation(U'+') && !is_punctuation(U'a'));
  EXPECT_TRUE(is_symbol(U'€') && is_symbol(U'+') && is_symbol(U'😀') && !is_symbol(U'.'));
  EXPECT_TRUE(is_number(U'7') && is_number(U'Ⅷ') && is_number(U'½') && !is_number(U'x'));
}

}  // namespace
}  // namespace gloss
