// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/known_lines.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kKnownBytes = 8 << 10;

std::string line(int number) { return concat("line ", number); }

TEST(KnownLines, KeepsTheFirstEntryOfALine) {
  KnownLines known(kKnownBytes);
  EXPECT_FALSE(known.find("one").has_value());
  known.add({"one", "eins", 300, true});
  known.add({"one", "zwei", 301, false});
  known.add({"", std::string_view("\0\1", 2), 5});
  const auto one = known.find("one");
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->line, "one");
  EXPECT_EQ(one->translated, "eins");
  EXPECT_EQ(one->number, 300U);
  EXPECT_TRUE(one->of_earlier_run);
  EXPECT_FALSE(known.find("one")->of_earlier_run) << "it was found by this run";
  EXPECT_EQ(known.find("")->translated, std::string_view("\0\1", 2));
}

TEST(KnownLines, ForgetsTheOldestFirst) {
  KnownLines known(kKnownBytes);
  constexpr int kLines = 2000;
  for (int i = 0; i < kLines; ++i) known.add({line(i), line(-i), 0});
  int kept = 0;
  while (known.find(line(kLines - 1 - kept))) ++kept;
  EXPECT_GT(kept, 100);
  EXPECT_LT(kept, 700);
  for (int i = 0; i < kLines - kept; ++i) EXPECT_FALSE(known.find(line(i)).has_value()) << i;
}

TEST(KnownLines, SparesWhatIsFoundAgainAndAgain) {
  KnownLines known(kKnownBytes);
  known.add({"often", "oft", 7});
  known.add({"once", "einmal", 8});
  EXPECT_TRUE(known.find("once").has_value());
  for (int i = 0; i < 5000; ++i) {
    known.add({line(i), line(-i), 0});
    const auto often = known.find("often");
    ASSERT_TRUE(often.has_value()) << i;
    EXPECT_EQ(often->translated, "oft");
    EXPECT_EQ(often->number, 7U);
  }
  EXPECT_FALSE(known.find("once").has_value());
}

TEST(KnownLines, DoesNotKeepWhatTakesMuchOfTheMemory) {
  KnownLines known(kKnownBytes);
  known.add({"short", "kurz", 0});
  const std::string large(kKnownBytes / 6, 'x'), huge(kKnownBytes / 2, 'y');
  known.add({huge, "", 0});
  EXPECT_FALSE(known.find(huge).has_value());
  known.add({large, large.substr(1000), 0});
  ASSERT_TRUE(known.find(large).has_value());
  EXPECT_EQ(known.find(large)->translated, large.substr(1000));
  EXPECT_TRUE(known.find("short").has_value());
}

TEST(KnownLines, AlwaysAnswersWhatWasAdded) {
  KnownLines known(kKnownBytes);
  Random random(3);
  std::map<std::string, std::string> added;
  int found = 0;
  for (int step = 0; step < 20000; ++step) {
    const std::string text = line(static_cast<int>(random.below(600)));
    if (const auto entry = known.find(text)) {
      ASSERT_EQ(entry->line, text);
      ASSERT_EQ(entry->translated, added.at(text));
      ++found;
      continue;
    }
    added[text] = std::string(random.below(300), static_cast<char>('a' + step % 26));
    known.add({text, added[text], static_cast<std::uint64_t>(step)});
    ASSERT_TRUE(known.find(text).has_value());
  }
  EXPECT_GT(found, 200);
  EXPECT_LT(found, 15000);
}

}  // namespace
}  // namespace gloss
