// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/language_identifier.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/identification/language_codes.h"

namespace gloss {
namespace {

std::string best(const LanguageIdentifier& identifier, std::string_view line) {
  const auto guesses = identifier.identify(line);
  return guesses.empty() ? kUnknownLanguage : guesses.front().language;
}

TEST(LanguageIdentifier, TheBuiltInOneKnowsSentences) {
  const auto identifier = built_in_identifier({});
  EXPECT_EQ(best(*identifier, "The weather in the mountains changes quickly."), "en");
  EXPECT_EQ(best(*identifier, "Das Wetter in den Bergen ändert sich schnell."), "de");
  EXPECT_EQ(best(*identifier, "Погода в горах быстро меняется."), "ru");
  EXPECT_EQ(best(*identifier, "山里的天气变化很快。"), "zh");
  EXPECT_EQ(best(*identifier, "מזג האוויר בהרים משתנה במהירות."), "he");
}

TEST(LanguageIdentifier, LinesWithoutWordsHaveNoLanguage) {
  const auto identifier = built_in_identifier({});
  for (const std::string line : {"", " ", "12 345,67", "...", "\xff\xfe", "😀"}) {
    EXPECT_EQ(best(*identifier, line), kUnknownLanguage) << line;
  }
}

TEST(LanguageIdentifier, RefusesUnknownLanguages) {
  EXPECT_THROW(built_in_identifier(std::vector<std::string>{"de", "klingon"}), UsageError);
}

TEST(LanguageCodes, AllFormsOfACodeMeanTheLanguage) {
  for (const std::string code : {"de", "deu", "deu_Latn", "de_DE", "__de__", "DE"}) {
    EXPECT_EQ(plain_language(code), "de") << code;
  }
  EXPECT_EQ(plain_language("zho_Hant"), "zh");
  EXPECT_EQ(plain_language("arb_Arab"), "ar");
  EXPECT_EQ(plain_language("nob_Latn"), "no");
  EXPECT_EQ(plain_language("fil"), "tl");
  EXPECT_EQ(plain_language("iw"), "he");
  EXPECT_EQ(plain_language("sentence"), "");
  EXPECT_TRUE(same_language("deu_Latn", "de_AT"));
  EXPECT_FALSE(same_language("de", "nl"));
  EXPECT_FALSE(same_language("", "nl"));
}

}  // namespace
}  // namespace gloss
