// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_habits.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace gloss {
namespace {

std::string notes_about(const std::vector<std::string>& lines, const std::string& encoding = "") {
  TextHabits habits("file", encoding);
  for (const std::string& line : lines) habits.add(line);
  return join(habits.notes(), "\n");
}

TEST(CleanedLine, HasNoMarkAndNoCarriageReturn) {
  EXPECT_EQ(cleaned_line("\xEF\xBB\xBF"
                         "a\r",
                         true),
            "a");
  EXPECT_EQ(cleaned_line("\xEF\xBB\xBF"
                         "a",
                         false),
            "\xEF\xBB\xBF"
            "a")
      << "only the first line has a mark";
  EXPECT_EQ(cleaned_line("a\rb\r\r", false), "a\rb\r");
  std::string line = "\xEF\xBB\xBF\r";
  clean_line(line, true);
  EXPECT_EQ(line, "");
}

TEST(TextHabits, AreNotedOnceEach) {
  EXPECT_EQ(notes_about({"A plain text, as it should be.", "With 2 lines."}), "");
  const std::string notes = notes_about({"\xEF\xBB\xBF"
                                         "a\r",
                                         "b", "c\r"},
                                        "UTF-16LE");
  EXPECT_EQ(split(notes, '\n').size(), 3u) << notes;
  EXPECT_NE(notes.find("UTF-16LE"), std::string::npos) << notes;
  EXPECT_NE(notes.find("byte order mark"), std::string::npos) << notes;
  EXPECT_NE(notes.find("2 lines"), std::string::npos) << notes;
}

TEST(TextHabits, TextOfOtherToolsIsNoticed) {
  const std::vector<std::string> joined(8, "the l@@ it@@ tle dog"), apart(8, "the dog , and the cat .");
  EXPECT_NE(notes_about(joined).find("@@"), std::string::npos);
  EXPECT_NE(notes_about(apart).find("tokenised"), std::string::npos);
  EXPECT_EQ(notes_about(std::vector<std::string>(3, apart[0])), "") << "too few to judge";
  EXPECT_EQ(notes_about(std::vector<std::string>(8, "le chien ? non ! oui : bien sûr ; non.")), "")
      << "French";
  std::vector<std::string> mixed(8, "the dog, and the cat.");
  mixed.insert(mixed.end(), apart.begin(), apart.end());
  EXPECT_EQ(notes_about(mixed), "");
}

}  // namespace
}  // namespace gloss
