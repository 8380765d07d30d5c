// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_start.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TextStart, OfTextInAnyScriptIsNotDoubted) {
  for (const char* line :
       {"plain text\n", "Die Bäckerin grüßt.\n", "Привет\n", "日本語の文\n", "\xF0\x9F\x98\x80\n"}) {
    EXPECT_EQ(doubt_about_text("text", repeated(line, 1000)), "");
    EXPECT_EQ(doubt_about_text("text", repeated(line, 1000).substr(0, 100)), "") << "cut in a character";
  }
  EXPECT_EQ(doubt_about_text("text", ""), "");
  EXPECT_EQ(doubt_about_text("text", repeated("Die B\xE4"
                                              "ckerin gr\xFC\xDFt ihren kleinen Bruder.\n",
                                              1000)),
            "")
      << "single lines are reported when they are read";
}

TEST(TextStart, OfBinaryFilesAndOtherEncodingsIsDoubted) {
  const std::string picture = doubt_about_text("a.jpg", std::string("\xFF\xD8\xFF\xE0\0\x10JFIF\0", 11));
  EXPECT_NE(picture.find("a.jpg"), std::string::npos) << picture;
  EXPECT_NE(picture.find("2 NUL bytes"), std::string::npos) << picture;
  const std::string cyrillic = doubt_about_text("a.txt", repeated("\xCF\xF0\xE8\xE2\xE5\xF2\n", 100));
  EXPECT_NE(cyrillic.find("iconv"), std::string::npos) << cyrillic;
  EXPECT_EQ(cyrillic.find("NUL"), std::string::npos) << cyrillic;
  const std::string single = doubt_about_text("a.txt", std::string("a\0\n", 3));
  EXPECT_NE(single.find("1 NUL byte in its first 3 bytes"), std::string::npos) << single;
}

TEST(TextStart, IsLookedAtInEachFile) {
  const TemporaryDirectory folder;
  folder.write("good", repeated("a line\n", 100'000));
  folder.write("late", repeated("a line\n", 100'000) + std::string(100, '\0'));
  folder.write("bad", repeated("a line\n", 100) + std::string(1, '\0') + "\n");
  EXPECT_EQ(doubts_about_text({folder / "good", folder / "late"}), std::vector<std::string>());
  const std::vector<std::string> doubts = doubts_about_text({folder / "good", folder / "bad"});
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_TRUE(doubts[0].starts_with(folder / "bad")) << doubts[0];
}

}  // namespace
}  // namespace gloss
