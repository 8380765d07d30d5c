// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/copied_words.h"

#include <gtest/gtest.h>

#include <string>

namespace gloss {
namespace {

int copied(const std::string& text) { return copied_words(text, text); }

TEST(CopiedWords, AreThoseOfATextThatIsItsOwnTranslation) {
  EXPECT_EQ(copied("The dog sees a house."), 5);
  EXPECT_EQ(copied("\"der Hund sieht ein Haus\" (heute)"), 6);
  EXPECT_EQ(copied("I don't like 3 of them"), 5);
  EXPECT_EQ(copied("собака видит большой дом"), 4);
  EXPECT_GE(copied("今日はとても良い天気ですね。"), 4) << "without spaces";
  EXPECT_EQ(copied_words("  The dog sees\ta house. ", "The dog sees a house."), 5);
}

TEST(CopiedWords, OfOtherTranslationsAreNone) {
  EXPECT_EQ(copied_words("The dog sees a house.", "The dog sees a house"), 0);
  EXPECT_EQ(copied_words("The dog sees a house.", "the dog sees a house."), 0);
  EXPECT_EQ(copied_words("The dog sees a house.", ""), 0);
  EXPECT_EQ(copied_words("", ""), 0);
}

TEST(CopiedWords, DoNotCountWhereCopiesAreUsual) {
  EXPECT_EQ(copied("2 + 2 = 4, 3.5 % of 10"), 0);
  EXPECT_EQ(copied("..."), 0);
  EXPECT_EQ(copied("taxi"), 0);
  EXPECT_EQ(copied("bus and taxi"), 0);
  EXPECT_EQ(copied("Anna Maria Berg Hill"), 0);
  EXPECT_EQ(copied("https://www.example.org/a/small/page user@mail.example.org a/b/c x_y_z"), 0);
}

}  // namespace
}  // namespace gloss
