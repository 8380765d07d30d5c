// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/hold_out.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/preparation/near_duplicates.h"
#include "pipeline/preparation/text_sample.h"
#include "tests/support/has.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A line of random words of random letters.
std::string random_line(Random& random) {
  std::string line;
  for (int word = 0; word < 8; ++word) {
    if (word > 0) line += ' ';
    for (int letter = 0; letter < 6; ++letter) line += static_cast<char>('a' + random.below(26));
  }
  return line;
}

struct HoldOutTest : testing::Test {
  WeightedText text(const std::string& name, const std::string& source, const std::string& target,
                    double weight = 1) {
    const ParallelFiles files{folder.write(name + ".source", source), folder.write(name + ".target", target)};
    return {std::make_shared<IndexedPairs>(files, folder.path(), heard), weight};
  }
  /// Lines of which every tenth is repeated with other punctuation.
  std::string lines(int count, std::uint64_t seed) {
    Random random(seed);
    std::string all, previous;
    for (int line = 1; line <= count; ++line) {
      if (line % 10 == 0) {
        all += previous + " !\n";
        continue;
      }
      previous = random_line(random);
      all += previous + "\n";
    }
    return all;
  }

  TemporaryDirectory folder;
  HeardListener heard;
};

TEST_F(HoldOutTest, NearDuplicatesDifferInPunctuationCaseOrAWord) {
  const std::string long_line =
      "The committee will meet again on the first Monday of the month to vote on it.";
  NearDuplicates known({long_line, "Yes.", "A dog runs."});
  const auto found = [&](const std::string& line) {
    std::vector<std::size_t> numbers;
    known.find(line, numbers);
    return numbers;
  };
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(found("the committee will meet again on the FIRST Monday of the month, to vote on it"),
            Numbers{0});
  EXPECT_EQ(found("The committee will meet again on the last Monday of the month to vote on it."),
            Numbers{0});
  EXPECT_EQ(found("yes!"), Numbers{1});
  EXPECT_EQ(found("A cat runs."), Numbers());
  EXPECT_EQ(found(""), Numbers());
  EXPECT_EQ(folded_hash("A dog, runs"), folded_hash("a DOG runs!"));
  EXPECT_NE(folded_hash("..."), folded_hash("!!!"));
}

TEST_F(HoldOutTest, ViewsDivideTheLines) {
  const WeightedText whole = text("views", "1\n2\n3\n4\n5\n", "a\nb\nc\nd\ne\n");
  const auto some = std::make_shared<IndexedPairs::Lines>(IndexedPairs::Lines{2, 5});
  const IndexedPairs only = whole.pairs->only(some), without = whole.pairs->without(some);
  const auto sources = [](const IndexedPairs& of) {
    std::string all;
    for (const SentencePair& pair : read_pairs(of)) all += pair.source;
    return all;
  };
  EXPECT_EQ(sources(only), "25");
  EXPECT_EQ(sources(without), "134");
  EXPECT_EQ(only.kept_lines(), 2);
  EXPECT_EQ(without.kept_lines(), 3);
  EXPECT_EQ(without.lines(), 5) << "numbers of lines stay those of the file";
  EXPECT_EQ(without.fingerprint(), whole.pairs->fingerprint());
}

TEST_F(HoldOutTest, HoldsOutLinesWithoutNearDuplicates) {
  const std::vector<WeightedText> texts{text("a", lines(2000, 1), lines(2000, 2))};
  const HoldOut chosen = choose_hold_out(texts, heard);
  ASSERT_EQ(chosen.lines->size(), 100u) << "one of 20";
  EXPECT_TRUE(std::ranges::is_sorted(*chosen.lines));
  EXPECT_EQ(std::set(chosen.lines->begin(), chosen.lines->end()).size(), 100u);
  for (const std::int64_t line : *chosen.lines) {
    EXPECT_NE(line % 10, 0) << "a copy of the line before it";
    EXPECT_NE(line % 10, 9) << "the original of a copy";
  }
  EXPECT_EQ(*choose_hold_out(texts, heard).lines, *chosen.lines);
}

TEST_F(HoldOutTest, LooksForDuplicatesInAllTexts) {
  const std::string source = lines(600, 1);
  const std::vector<WeightedText> copied{text("a", source, source), text("b", source, source, 2)};
  EXPECT_TRUE(choose_hold_out(copied, heard).lines->empty());
  const std::vector<WeightedText> weighted{text("c", lines(600, 3), source),
                                           text("d", lines(600, 4), source, 2)};
  EXPECT_EQ(choose_hold_out(weighted, heard).text, 1u) << "the one that an epoch repeats";
}

TEST_F(HoldOutTest, OfASmallLanguageHoldsOutLinesWithoutCopies) {
  std::string source;
  for (int line = 0; line < 2000; ++line) {
    // Each number has two lines, except those below 1,000, which have one.
    source += concat("the number of this line of the text is ", line < 1000 ? line : 1000 + line / 2, "\n");
  }
  const std::vector<WeightedText> texts{text("small", source, source)};
  const HoldOut chosen = choose_hold_out(texts, heard);
  EXPECT_FALSE(chosen.near);
  ASSERT_EQ(chosen.lines->size(), 100u);
  EXPECT_LE(chosen.lines->back(), 1000);
}

TEST_F(HoldOutTest, OfDocumentsIsTheirLastPassage) {
  const ParallelFiles files{.plain = folder.write("plain", lines(600, 1))};
  const std::vector<WeightedText> texts{{std::make_shared<IndexedPairs>(files, folder.path(), heard), 1}};
  const HoldOut chosen = choose_passage(texts);
  ASSERT_EQ(chosen.lines->size(), 30u);
  EXPECT_EQ(chosen.lines->front(), 571);
  EXPECT_EQ(chosen.lines->back(), 600);
  const TextSample figures = sample_of(texts);
  EXPECT_EQ(figures.noun, "lines");
  EXPECT_EQ(figures.lines, 600);
  EXPECT_DOUBLE_EQ(figures.target_words, 0);
}

TEST_F(HoldOutTest, LeavesLinesOfEachLabel) {
  Random random(3);
  std::string rows;
  for (int line = 0; line < 400; ++line) rows += concat("label", line / 2, "\t", random_line(random), "\n");
  for (int line = 0; line < 400; ++line) rows += "common\t" + random_line(random) + "\n";
  const ParallelFiles files{.labelled = folder.write("labelled", rows)};
  const std::vector<WeightedText> texts{{std::make_shared<IndexedPairs>(files, folder.path(), heard), 1}};
  const HoldOut chosen = choose_hold_out(texts, heard);
  EXPECT_EQ(chosen.lines->size(), 40u);
  for (const std::int64_t line : *chosen.lines) EXPECT_GT(line, 400) << "a label of two lines";
  EXPECT_DOUBLE_EQ(sample_of(texts).source_words, 8) << "labels are no text";
}

TEST_F(HoldOutTest, TakesNothingFromSmallTexts) {
  const std::vector<WeightedText> texts{text("a", lines(199, 1), lines(199, 1))};
  EXPECT_TRUE(choose_hold_out(texts, heard).lines->empty());
  EXPECT_EQ(held_out_lines(199), 0);
  EXPECT_EQ(held_out_lines(29'000), 1000);
}

TEST_F(HoldOutTest, WarnsOfValidationLinesInTheTrainingText) {
  const std::vector<WeightedText> texts{text("train", "one\ntwo\nthree\n", "x\ny\nz\n")};
  warn_of_leaks(texts, *text("valid", "four\nTwo!\nfive\ntwo\n", "a\nb\nc\nd\n").pairs, heard);
  for (const char* part : {"2 of 4 source lines", "line 2 is line 2 of", "train.source"}) {
    EXPECT_TRUE(has(heard.warnings, part)) << heard.warnings;
  }
  heard.warnings.clear();
  warn_of_leaks(texts, *text("other", "four\nfive\n", "a\nb\n").pairs, heard);
  EXPECT_EQ(heard.warnings, "");
}

TEST_F(HoldOutTest, FiguresTellNaturalTextFromASmallLanguage) {
  std::string small, target;
  Random random(7);
  for (int line = 0; line < 3000; ++line) {
    small += concat("w", random.below(9), " w", random.below(9), " w", random.below(9), "\n");
    target += "t\n";
  }
  const TextSample of_small = sample_of(std::vector{text("small", small, target)});
  EXPECT_EQ(of_small.lines, 3000);
  EXPECT_DOUBLE_EQ(of_small.source_words, 3);
  EXPECT_LT(of_small.growth, 0.05);
  EXPECT_GT(of_small.repeated, 0.5);
  const TextSample of_random = sample_of(std::vector{text("random", lines(3000, 5), lines(3000, 6))});
  EXPECT_GT(of_random.growth, 0.9);
  EXPECT_DOUBLE_EQ(of_random.copied, 0);
}

TEST_F(HoldOutTest, WarnsOfMistakes) {
  const auto warnings = [&](const std::vector<WeightedText>& texts,
                            const IndexedPairs* validation = nullptr) {
    heard.warnings.clear();
    heard.notes.clear();
    warn_of_mistakes(sample_of(texts), false, texts, validation, heard);
    return heard.warnings + heard.notes;
  };
  const std::string english = lines(1500, 1), german = lines(1500, 2);
  EXPECT_EQ(warnings({text("fine", english, german)}), "");
  EXPECT_TRUE(has(warnings({text("copy", english, english)}), "source and target are the same text"));
  EXPECT_TRUE(has(warnings({text("some", english + german.substr(0, german.find('\n', german.size() / 5) + 1),
                                 german + german.substr(0, german.find('\n', german.size() / 5) + 1))}),
                  "17 %"));
  std::string one;
  for (int line = 0; line < 1500; ++line) one += "the same again\n";
  EXPECT_TRUE(has(warnings({text("one", one, german)}), "source of line 1"));
  EXPECT_TRUE(has(warnings({text("three", "a\nb\nc\n", "x\ny\nz\n")}), "3 pairs are too few"));
  const WeightedText swapped = text("swapped", german, english);
  EXPECT_TRUE(has(warnings({text("fine2", english, german)}, swapped.pairs.get()), "swapped.source"));
}

}  // namespace
}  // namespace gloss
