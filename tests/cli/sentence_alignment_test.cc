// SPDX-License-Identifier: Apache-2.0
// gloss align --sentences through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

ProgramResult align_sentences(std::vector<std::string> options, const std::string& input = "") {
  options.insert(options.begin(), {kGlossBinary, "align", "--sentences"});
  return run_program(options, input);
}

/// The beads of an output with sentences on both sides.
std::set<std::string> pairs_of(const std::string& beads) {
  std::set<std::string> pairs;
  for (const std::string& line : output_lines(beads)) {
    if (line.find("[]") == std::string::npos) pairs.insert(line);
  }
  return pairs;
}

double strict_f1(const std::string& beads, const std::string& gold) {
  const std::set<std::string> found = pairs_of(beads), expected = pairs_of(gold);
  const auto both =
      std::ranges::count_if(found, [&](const std::string& bead) { return expected.contains(bead); });
  return 2 * static_cast<double>(both) / static_cast<double>(found.size() + expected.size());
}

/// A document of made-up words and its translation, whose words are the source's in another spelling.
class SentenceAlignmentCommand : public testing::Test {
 protected:
  /// A sentence of random words, the same for the same number.
  static std::string sentence(int number, bool of_target) {
    Random random(static_cast<std::uint64_t>(number));
    std::string text;
    for (std::uint64_t words = 4 + random.below(9); words > 0; --words) {
      const std::uint64_t word = random.below(1 + random.below(300));
      text += text.empty() ? "" : " ";
      for (std::uint64_t rest = word + 1; rest > 0; rest /= 7) {
        text += of_target ? "zvwxpqk"[rest % 7] : "abcdefg"[rest % 7];
      }
    }
    return text + ".";
  }
  /// Writes files of these sentences; a number appears on both sides unless it is in one list only.
  void write(const std::vector<int>& source, const std::vector<int>& target) const {
    for (const auto& [name, numbers] : {std::pair{"source", source}, std::pair{"target", target}}) {
      std::string text;
      for (const int number : numbers) {
        text += number < 0 ? "\n" : sentence(number, std::string(name) == "target") + "\n";
      }
      files_.write(name, text);
    }
  }
  ProgramResult align(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"--source", files_ / "source", "--target", files_ / "target"});
    return align_sentences(options);
  }

  TemporaryDirectory files_;
};

std::vector<int> range(int first, int last) {
  std::vector<int> numbers;
  for (int i = first; i < last; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<int> operator+(std::vector<int> one, const std::vector<int>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

TEST_F(SentenceAlignmentCommand, MakesPairsWithScores) {
  write(range(0, 60), range(0, 60));
  const ProgramResult result = align();
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = output_lines(result.output);
  ASSERT_EQ(lines.size(), 60U);
  for (int i = 0; i < 60; ++i) {
    const std::vector<std::string> columns = split(lines[static_cast<std::size_t>(i)], '\t');
    ASSERT_EQ(columns.size(), 3U);
    EXPECT_EQ(columns[0], sentence(i, false));
    EXPECT_EQ(columns[1], sentence(i, true));
    EXPECT_GT(std::stod(columns[2]), 0);
  }
  EXPECT_NE(result.errors.find("60 pairs"), std::string::npos) << result.errors;
}

TEST_F(SentenceAlignmentCommand, LeavesOutManySentencesThatOneSideLacks) {
  write(range(0, 400), range(0, 150) + range(1000, 1080) + range(200, 400));
  const ProgramResult result = align({"--beads"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::set<std::string> pairs = pairs_of(result.output);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    if (i < 150 || i >= 200)
      found += static_cast<int>(pairs.count(concat("[", i, "]:[", i < 150 ? i : i + 30, "]")));
  }
  EXPECT_GT(found, 340);
}

TEST_F(SentenceAlignmentCommand, SearchesLongDocumentsFromCoarseToFine) {
  write(range(0, 3000), range(0, 1500) + range(1700, 3000));
  const ProgramResult result = align({"--beads", "--threads", "1"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::set<std::string> pairs = pairs_of(result.output);
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    found += static_cast<int>(pairs.count(concat("[", i, "]:[", i < 1500 ? i : i - 200, "]")));
  }
  EXPECT_GT(found, 2600);
  EXPECT_EQ(align({"--beads", "--threads", "3"}).output, result.output);
}

TEST_F(SentenceAlignmentCommand, AlignsParagraphsOneByOneAndCountsLinesWithEmptyOnes) {
  write(range(0, 2) + std::vector{-1} + range(2, 5), range(0, 2) + std::vector{-1, -1} + range(2, 5));
  const ProgramResult result = align({"--beads", "--evidence", "lengths"});
  EXPECT_EQ(result.output, "[0]:[0]\n[1]:[1]\n[3]:[4]\n[4]:[5]\n[5]:[6]\n") << result.errors;
}

TEST_F(SentenceAlignmentCommand, NamesTheLineOfAParagraphTooMany) {
  write(range(0, 2) + std::vector{-1} + range(2, 5), range(0, 5));
  const ProgramResult result = align();
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errors.find("source:4"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("--one-paragraph"), std::string::npos) << result.errors;
  EXPECT_EQ(align({"--one-paragraph"}).status, 0);
}

TEST_F(SentenceAlignmentCommand, RefusesFilesWithoutSentences) {
  write(range(0, 3), {});
  const ProgramResult result = align();
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errors.find("target"), std::string::npos) << result.errors;
}

TEST_F(SentenceAlignmentCommand, RefusesTranslationsOfOtherLines) {
  write(range(0, 3), range(0, 3));
  files_.write("translated", "one\ntwo\n");
  const ProgramResult result = align({"--translated", files_ / "translated"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errors.find("2 lines"), std::string::npos) << result.errors;
}

TEST_F(SentenceAlignmentCommand, AlignsSidesOfVeryDifferentLengthAndLongLines) {
  write(range(0, 3), range(0, 2000));
  EXPECT_EQ(align({"--beads"}).status, 0);
  files_.write("source", std::string(1 << 20, 'a') + "\nb c d\n");
  std::string words;
  for (int i = 0; i < 200'000; ++i) words += "ab c ";
  files_.write("target", words + "\nb c d\n");
  const ProgramResult result = align({"--beads"});
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(SentenceAlignmentCommand, AlignsAFileWithItself) {
  write(range(0, 30), range(0, 30));
  const ProgramResult result =
      align_sentences({"--source", files_ / "source", "--target", files_ / "source", "--beads"});
  EXPECT_EQ(pairs_of(result.output).count("[29]:[29]"), 1U) << result.output;
}

TEST_F(SentenceAlignmentCommand, RefusesOptionsOfOtherWork) {
  write(range(0, 3), range(0, 3));
  EXPECT_EQ(align({"--statistical"}).status, 2);
  EXPECT_EQ(align({"--format", "tsv"}).status, 2);
  EXPECT_EQ(align({"--lower-case"}).status, 2);
  EXPECT_EQ(align({"--evidence", "embeddings"}).status, 2);
  EXPECT_EQ(align_sentences({"--tsv", files_ / "source"}).status, 2);
  EXPECT_EQ(run_program({kGlossBinary, "align", "--statistical", "--beads", "--source", files_ / "source",
                         "--target", files_ / "target"})
                .status,
            2);
}

using SentenceAlignmentByModel = UntrainedModels;

TEST_F(SentenceAlignmentByModel, TranslatesAndEmbeds) {
  const TemporaryDirectory files;
  files.write("source", "ab\ncd\n");
  files.write("target", "ab\ncd\n");
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"a"}, {"a", "--evidence", "embeddings"}, {"lm"}}) {
    std::vector<std::string> all{"--source", files / "source", "--target", files / "target", "--beads", "-m"};
    all.push_back(*folder / options.front());
    all.insert(all.end(), options.begin() + 1, options.end());
    const ProgramResult result = align_sentences(all);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, "[0]:[0]\n[1]:[1]\n") << result.errors;
  }
  const ProgramResult refused = align_sentences({"--source", files / "source", "--target", files / "target",
                                                 "-m", *folder / "lm", "--evidence", "translations"});
  EXPECT_EQ(refused.status, 3);
}

TEST(SentenceAlignment, FindsTheBeadsOfTheReferenceDocuments) {
  GLOSS_NEED_SHARED_DATA(folder, "corpus_cleaning/sentence_alignment");
  constexpr double kWithWords[] = {0.97, 0.96, 0.90}, kWithTranslations[] = {1, 0.98, 0.97};
  for (const int number : {1, 2, 3}) {
    const std::string name = concat(*folder, "/doc", number), gold = read_file(name + ".gold");
    const std::vector<std::string> files{"--source", name + ".en", "--target", name + ".de", "--beads"};
    std::vector<std::string> with_translations = files;
    with_translations.insert(with_translations.end(), {"--translated", name + ".en2de"});
    EXPECT_GE(strict_f1(align_sentences(files).output, gold), kWithWords[number - 1]) << name;
    EXPECT_GE(strict_f1(align_sentences(with_translations).output, gold), kWithTranslations[number - 1])
        << name;
  }
}

}  // namespace
}  // namespace gloss
