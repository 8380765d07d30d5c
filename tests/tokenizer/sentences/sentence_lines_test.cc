// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_lines.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text.h"
#include "tokenizer/sentences/sentence_division.h"
#include "tokenizer/sentences/sentence_splitter.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// Calls `use` with each line and whether it has a '\n'.
template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool ended = end != std::string_view::npos;
    use(text.substr(0, end), ended);
    text.remove_prefix(ended ? end + 1 : text.size());
  }
}

std::string split_text(const SentenceSplitter& splitter, std::string_view text) {
  SentenceLineWriter writer;
  std::string out;
  for_each_line(text, [&](std::string_view line, bool ended) {
    out += writer.next(sentence_lines(splitter.split(line)), ended);
  });
  return out;
}

std::string joined_text(std::string_view text) {
  SentenceLineJoiner joiner;
  std::string out;
  for_each_line(text, [&](std::string_view line, bool ended) { out += joiner.next(line, ended); });
  return out + joiner.finish();
}

TEST(SentenceLines, SetsAnEmptyLineBetweenTwoLines) {
  const SentenceSplitter splitter("en");
  EXPECT_EQ(split_text(splitter, "He left. She stayed.\nIt rained.\n"),
            "He left.\nShe stayed.\n\nIt rained.\n");
  EXPECT_EQ(split_text(splitter, ""), "");
  EXPECT_EQ(split_text(splitter, "\n"), "\n");
  EXPECT_EQ(split_text(splitter, "A.\n\nB."), "A.\n\n\nB.");
}

TEST(SentenceLines, KeepsWhiteSpaceThatIsNotUnderstood) {
  const SentenceSplitter splitter("ja");
  EXPECT_EQ(split_text(splitter, "He.  Left. So.\tDid he."), "He.  \nLeft.\nSo.\t\nDid he.");
  EXPECT_EQ(split_text(splitter, "雨。 晴れ。雪。"), "雨。 \n晴れ。\n雪。");
}

TEST(SentenceLines, JoinsTranslatedSentences) {
  EXPECT_EQ(joined_text("Er ging.\nSie blieb.\n\nEs regnete.\n"), "Er ging. Sie blieb.\nEs regnete.\n");
  EXPECT_EQ(joined_text("雨。\n晴れ。\n"), "雨。晴れ。\n");
}

TEST(SentenceLines, RestoreEveryText) {
  const std::vector<std::string> parts{"A.", "b?", " ",  "  ",     "\n",     "\n\n", "。",
                                       "」", "\t", "\r", "\xFF",   "Dr.",    "3.",   "…",
                                       "!",  "\"", "B",  "\u00A0", "\u2028", "।",    "‼"};
  Random random(2);
  for (const char* language : {"", "de", "ja", "hi"}) {
    const SentenceSplitter splitter(language);
    for (int round = 0; round < 3000; ++round) {
      std::string text;
      for (std::uint64_t i = random.below(25); i > 0; --i) text += parts[random.below(parts.size())];
      ASSERT_EQ(joined_text(split_text(splitter, text)), text) << split_text(splitter, text);
    }
  }
}

std::string divided_text(std::string_view sentence, int most) {
  std::string text;
  for (const std::string_view part : divided(sentence, most, count_characters))
    text += concat(text.empty() ? "" : "|", part);
  return text;
}

TEST(SentenceDivision, PrefersMarksToSpaces) {
  EXPECT_EQ(divided_text("one two three; four five six", 20), "one two three; |four five six");
  EXPECT_EQ(divided_text("one two, three four five six", 20), "one two, |three four five six");
  EXPECT_EQ(divided_text("one two three four five six", 20), "one two three |four five six");
  EXPECT_EQ(divided_text("one, two three four five six seven", 20), "one, two three |four five six seven");
  EXPECT_EQ(divided_text("short", 20), "short");
}

TEST(SentenceDivision, KeepsPartsBelowTheLimitIfThereAreSpaces) {
  std::string sentence;
  for (int i = 0; i < 5000; ++i) sentence += concat("word", i, i % 7 == 0 ? ", " : " ");
  std::string joined;
  for (const std::string_view part : divided(sentence, 40, count_characters)) {
    EXPECT_LE(part.size(), 40U);
    joined += part;
  }
  EXPECT_EQ(joined, sentence);
  EXPECT_EQ(divided_text(std::string(100, 'x'), 40), std::string(100, 'x'));
  EXPECT_EQ(divided_text(std::string(100, ' '), 40), std::string(100, ' '));
}

}  // namespace
}  // namespace gloss
