// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/packed_translations.h"

#include <gtest/gtest.h>

#include "base/packed_bytes.h"
#include "base/random.h"
#include "pipeline/translation/translator.h"
#include "tests/support/copying_decoder.h"

namespace gloss {
namespace {

/// Translations of a line with everything that one may have.
TranslatedLine full_line(const std::string& line) {
  static const SourceCopier decoder;
  TranslationSettings settings;
  settings.search.beam_size = settings.search.n_best = 3;
  settings.search.max_length = 12;
  settings.word_scores = settings.links = true;
  settings.alignment = Alignment::soft;
  const Translator translator(decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                              settings, 1);
  const std::vector<std::string> lines{line};
  return translator.translate(lines).front();
}

TEST(PackedTranslations, AreTheSameAgain) {
  for (const std::string line : {"the small dog", "", "a \xff b", "one two three four five six seven"}) {
    const TranslatedLine before = full_line(line);
    const std::string bytes = packed(before);
    const std::optional<TranslatedLine> after = unpacked(bytes, line);
    ASSERT_TRUE(after) << line;
    EXPECT_EQ(packed(*after), bytes);
    EXPECT_EQ(after->replaced, before.replaced);
    EXPECT_EQ(after->empty, before.empty);
    EXPECT_EQ(after->copied, before.copied);
    EXPECT_EQ(after->longest, before.longest);
    ASSERT_EQ(after->translations.size(), before.translations.size());
    for (std::size_t i = 0; i < before.translations.size(); ++i) {
      const Translation& one = before.translations[i];
      const Translation& other = after->translations[i];
      EXPECT_EQ(other.text, one.text);
      EXPECT_EQ(other.score, one.score);
      EXPECT_EQ(other.cut, one.cut);
      EXPECT_EQ(other.words.size(), one.words.size());
      EXPECT_EQ(other.alignment.weights, one.alignment.weights);
      ASSERT_EQ(other.links.size(), one.links.size());
      if (!one.links.empty()) {
        EXPECT_EQ(other.links[0].weights, one.links[0].weights);
        EXPECT_EQ(other.links[0].targets, one.links[0].targets);
      }
    }
  }
}

TEST(PackedTranslations, KeepTheReasonOfAProblem) {
  TranslatedLine line;
  line.problem = "expected another beginning";
  line.translations.emplace_back();
  line.replaced = 7;
  const std::optional<TranslatedLine> again = unpacked(packed(line), "");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->problem, line.problem);
  EXPECT_EQ(again->replaced, 7);
}

TEST(PackedTranslations, OfOtherBytesAreNone) {
  const std::string line = "the small dog", bytes = packed(full_line(line));
  EXPECT_FALSE(unpacked("", line));
  EXPECT_FALSE(unpacked(bytes + '\0', line));
  EXPECT_FALSE(unpacked(bytes, "the")) << "links beyond the line";
  EXPECT_FALSE(unpacked(packed(TranslatedLine{}), "")) << "no translation";
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(unpacked(bytes.substr(0, size), line));
  TranslatedLine two_lines;
  two_lines.translations.push_back({.text = "one\ntwo"});
  EXPECT_FALSE(unpacked(packed(two_lines), line));
  TranslatedLine crooked;
  crooked.translations.emplace_back();
  crooked.translations.front().alignment = {2, {1, 0, 1}};
  EXPECT_FALSE(unpacked(packed(crooked), line));
}

TEST(PackedTranslations, OfDamagedBytesAreSound) {
  const std::string line = "the small dog", bytes = packed(full_line(line));
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string damaged = bytes;
    for (std::size_t flips = 1 + random.below(4); flips > 0; --flips) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    const std::optional<TranslatedLine> result = unpacked(damaged, line);
    if (!result) continue;
    ASSERT_FALSE(result->translations.empty());
    for (const Translation& translation : result->translations) {
      const WordAlignment& words = translation.alignment;
      EXPECT_EQ(words.weights.size(), static_cast<std::size_t>(words.targets() * words.sources));
      for (const TokenLinks& links : translation.links) {
        if (!links.targets.empty()) {
          EXPECT_LE(links.target_begin + links.targets.back(), translation.text.size());
        }
      }
    }
  }
}

TEST(PackedBytes, OfLargeNumbersAreRead) {
  PackedWriter writer;
  const std::vector<std::uint64_t> numbers{0, 1, 127, 128, 16384, 1ULL << 40, ~0ULL};
  for (const std::uint64_t number : numbers) writer.count(number);
  PackedReader reader(writer.bytes());
  for (const std::uint64_t number : numbers) EXPECT_EQ(reader.count(), number);
  EXPECT_TRUE(reader.at_end() && reader.intact());
  EXPECT_EQ(reader.count(), 0U);
  EXPECT_FALSE(reader.intact());
  PackedReader small(writer.bytes());
  small.count();
  EXPECT_EQ(small.count(0), 0U) << "1 is too large";
  EXPECT_FALSE(small.intact());
  EXPECT_FALSE(PackedReader(std::string(12, '\xff')).count() > 0);
}

}  // namespace
}  // namespace gloss
