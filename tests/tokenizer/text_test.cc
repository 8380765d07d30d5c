// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace gloss {
namespace {

using namespace std::string_literals;

constexpr char kReplacement[] = "\xEF\xBF\xBD";

std::string repeated(std::string_view part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

TEST(CleanText, KeepsValidTextUnchanged) {
  const std::string text = "naïve \0 \r \t ﬁ e\xCC\x81 \xE2\x80\xA8 \xF0\x9F\x98\x80 \xEF\xBF\xBE"s;
  const CleanText clean = clean_text(text, Normalization::none);
  EXPECT_EQ(clean.text, text);
  EXPECT_EQ(clean.replaced, 0);
}

TEST(CleanText, ReplacesEachMaximalInvalidPart) {
  // Unicode Standard 15.0, table 3-8 and the examples around it.
  const CleanText clean =
      clean_text("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", Normalization::none);
  EXPECT_EQ(clean.text,
            "a"s + repeated(kReplacement, 3) + "b" + kReplacement + "c" + repeated(kReplacement, 2) + "d");
  EXPECT_EQ(clean.replaced, 6);
}

TEST(CleanText, ReplacesOverlongFormsSurrogatesAndTooLargeCodePoints) {
  EXPECT_EQ(clean_text("\xC0\x80", Normalization::none).replaced, 2);
  EXPECT_EQ(clean_text("\xE0\x80\x80", Normalization::none).replaced, 3);
  EXPECT_EQ(clean_text("\xED\xA0\x80", Normalization::none).replaced, 3);
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80", Normalization::none).replaced, 4);
  EXPECT_EQ(clean_text("\xFF", Normalization::nfc).text, kReplacement);
  EXPECT_EQ(clean_text("\xF0\x9F\x98", Normalization::nfc).text, kReplacement);
}

TEST(CleanText, Composes) {
  EXPECT_EQ(clean_text("cafe\xCC\x81", Normalization::nfc).text, "café");
  EXPECT_EQ(clean_text("ﬁ ｱ ²", Normalization::nfc).text, "ﬁ ｱ ²");
  EXPECT_EQ(clean_text("ﬁ ｱ ²", Normalization::nfkc).text, "fi ア 2");
  EXPECT_EQ(clean_text("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", Normalization::nfc).text, "각");
}

TEST(CleanText, KeepsNulWhenComposing) {
  EXPECT_EQ(clean_text("a\0e\xCC\x81"s, Normalization::nfc).text, "a\0é"s);
}

TEST(CleanText, LongRunsOfMarksComposeLikeShortOnes) {
  // Canonical order: all cedillas (class 202), then all acutes (230). The first of each composes with the
  // letter.
  const std::string mixed = "e" + repeated("\xCC\x81\xCC\xA7", 100);
  const std::string ordered = "ȩ" + repeated("\xCC\xA7", 99) + repeated("\xCC\x81", 100);
  EXPECT_EQ(clean_text(mixed, Normalization::nfc).text, clean_text(ordered, Normalization::nfc).text);
  // A mark that decomposes into two.
  EXPECT_EQ(clean_text("a" + repeated("\xCD\x84", 70), Normalization::nfc).text,
            clean_text("a" + repeated("\xCC\x88\xCC\x81", 70), Normalization::nfc).text);
}

TEST(CleanText, LongRunsTakeLinearTime) {
  // Insertion sort would take minutes.
  const CleanText clean = clean_text(repeated("\xCC\x81\xCC\xA7", 500'000), Normalization::nfc);
  EXPECT_EQ(clean.text.size(), 2'000'000u);
}

TEST(CleanText, CleaningTwiceChangesNothing) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      bytes +=
          random.below(2) == 0 ? static_cast<char>(random.below(256)) : "\xCC\x81\xE2\x80"[random.below(4)];
    }
    for (const Normalization form : {Normalization::none, Normalization::nfc, Normalization::nfkc}) {
      const CleanText once = clean_text(bytes, form);
      const CleanText twice = clean_text(once.text, form);
      EXPECT_EQ(twice.text, once.text);
      EXPECT_EQ(twice.replaced, 0);
    }
  }
}

}  // namespace
}  // namespace gloss
