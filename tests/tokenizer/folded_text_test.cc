// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/folded_text.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

std::u32string folded(std::string_view text) {
  std::u32string out;
  append_folded(text, out);
  return out;
}

TEST(FoldedText, WhatReadsAlikeIsTheSame) {
  EXPECT_TRUE(folded("Die STRASSE, \xC2\xBB"
                     "alt\xC2\xAB!") == folded("die Stra\xC3\x9F"
                                               "e alt"));
  EXPECT_TRUE(folded("Caf\xC3\xA9") == folded("cafe\xCC\x81")) << "accents are decomposed";
  EXPECT_FALSE(folded("Caf\xC3\xA9") == folded("cafe"));
  EXPECT_TRUE(folded("\xEF\xAC\x81nal \xEF\xBC\xA1") == U"final a ") << "ligatures and full-width letters";
  EXPECT_TRUE(folded("soft\xC2\xADhyphen") == U"softhyphen ");
  EXPECT_TRUE(folded("") == U"");
  EXPECT_TRUE(folded("?! ...") == U"");
}

TEST(FoldedText, AddressesAreWords) {
  EXPECT_TRUE(folded("Write to Info@Example.com.") == U"write to info@example.com ");
  EXPECT_TRUE(folded("and/or 3.5 1,000 ./x") == U"and/or 3.5 1 000 x ");
}

TEST(FoldedText, OtherBytesEndWords) {
  EXPECT_TRUE(folded("a\xFF"
                     "b\xC3") == U"a b ");
  EXPECT_TRUE(folded(std::string_view("a\0b", 3)) == U"a b ");
}

}  // namespace
}  // namespace gloss
