// SPDX-License-Identifier: Apache-2.0
// gloss align --statistical through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

/// Lines of letters whose translation is the same letters, doubled, in reverse order: "a b" and "bb aa". The
/// numbers of the lines in `empty` have no target.
class StatisticalAlignmentCommand : public testing::Test {
 protected:
  StatisticalAlignmentCommand() {
    Random random(4);
    std::string source, target;
    for (int line = 0; line < kLines; ++line) {
      std::string from, to, of_line;
      const int words = 2 + static_cast<int>(random.below(5));
      for (int i = 0; i < words; ++i) {
        const char letter = static_cast<char>('a' + random.below(20));
        from += concat(i == 0 ? "" : " ", letter);
        to = concat(letter, letter, i == 0 ? "" : " ", to);
        of_line += concat(i == 0 ? "" : " ", i, "-", words - 1 - i);
      }
      const bool empty = line == kEmpty;
      source += from + "\n";
      target += (empty ? "" : to) + "\n";
      expected_.push_back(empty ? "" : of_line);
    }
    files_.write("source", source);
    files_.write("target", target);
  }
  ProgramResult align(std::vector<std::string> options, const std::string& input = "") const {
    options.insert(options.begin(), {kGlossBinary, "align", "--statistical"});
    return run_program(options, input);
  }
  std::vector<std::string> text() const {
    return {"--source", files_ / "source", "--target", files_ / "target"};
  }
  ProgramResult align_text(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> all = text();
    all.insert(all.end(), options.begin(), options.end());
    return align(all);
  }

  static constexpr int kLines = 400, kEmpty = 7;
  TemporaryDirectory files_;
  std::vector<std::string> expected_;
};

TEST_F(StatisticalAlignmentCommand, WritesALineOfLinksForEachPair) {
  const ProgramResult result = align_text();
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = output_lines(result.output);
  ASSERT_EQ(lines.size(), expected_.size());
  EXPECT_EQ(lines[kEmpty], "");
  int same = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) same += lines[i] == expected_[i];
  EXPECT_GT(same, kLines * 95 / 100);
  EXPECT_NE(result.errors.find("400 pairs"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("1 empty"), std::string::npos) << result.errors;
}

TEST_F(StatisticalAlignmentCommand, CountsOnePair) {
  files_.write("pair", "one\teins\n");
  const ProgramResult result = align({"--tsv", files_ / "pair"});
  EXPECT_EQ(result.output, "0-0\n");
  EXPECT_NE(result.errors.find("1 pair "), std::string::npos) << result.errors;
}

TEST_F(StatisticalAlignmentCommand, WritesTheSameBytesWithAnyNumberOfThreads) {
  const std::string one = align_text({"--threads", "1"}).output;
  EXPECT_EQ(align_text({"--threads", "2"}).output, one);
  EXPECT_EQ(align_text({"--threads", "3"}).output, one);
}

TEST_F(StatisticalAlignmentCommand, ReadsColumnsAndStandardInputAndWritesFiles) {
  const std::string expected = align_text().output;
  const std::vector<std::string> source = read_lines(files_ / "source"),
                                 target = read_lines(files_ / "target");
  std::string rows;
  for (std::size_t i = 0; i < source.size(); ++i) rows += concat(source[i], "\t", target[i], "\n");
  files_.write("rows", rows);
  EXPECT_EQ(align({"--tsv", files_ / "rows"}).output, expected);
  EXPECT_EQ(align({"--source", files_ / "source", "--target", "-"}, read_file(files_ / "target")).output,
            expected);
  const ProgramResult result = align_text({"--output", files_ / "links"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(read_file(files_ / "links"), expected);
}

TEST_F(StatisticalAlignmentCommand, CombinesDirectionsAsAsked) {
  const auto links = [&](const std::string& method) {
    const ProgramResult result = align_text({"--symmetrize", method});
    EXPECT_EQ(result.status, 0) << result.errors;
    std::size_t count = 0;
    for (const std::string& line : output_lines(result.output)) count += index(std::ranges::count(line, '-'));
    return count;
  };
  const std::size_t both = links("intersection"), forward = links("forward"), reverse = links("reverse"),
                    either = links("union");
  EXPECT_EQ(both + either, forward + reverse);
  EXPECT_GE(links("grow-diag-final-and"), links("grow-diag"));
  EXPECT_GE(links("grow-diag"), both);
  EXPECT_LE(links("grow-diag-final-and"), either);
}

TEST_F(StatisticalAlignmentCommand, IgnoresCaseIfAsked) {
  const std::string expected = align_text().output;
  std::string source = read_file(files_ / "source");
  for (std::size_t i = 0; i < source.size(); i += 3) {
    if (source[i] >= 'a') source[i] = static_cast<char>(source[i] - 'a' + 'A');
  }
  files_.write("source", source);
  EXPECT_EQ(align_text({"--lower-case"}).output, expected);
  EXPECT_NE(align_text({"--iterations", "1"}).output, expected);
}

TEST_F(StatisticalAlignmentCommand, PairsThatAreTooLongGetNoLinks) {
  const ProgramResult result = align_text({"--max-words", "4"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = output_lines(result.output), source = read_lines(files_ / "source");
  ASSERT_EQ(lines.size(), source.size());
  int too_long = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_long = source[i].size() > 7;  // four letters and the spaces between them
    too_long += is_long;
    EXPECT_EQ(lines[i].empty(), is_long || i == index(kEmpty)) << i;
  }
  EXPECT_NE(result.errors.find(concat("on ", too_long, " pairs")), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("--max-words"), std::string::npos) << result.errors;
}

/// The alignment error rate of hand-aligned sentences that are all the text, in percent.
double error_rate(const std::string& folder, const std::string& name) {
  const TemporaryDirectory files;
  std::string rows;
  for (const std::string& line : read_lines(folder + "/" + name + ".src-tgt")) {
    const std::size_t bars = line.find(" ||| ");
    rows += line.substr(0, bars) + "\t" + line.substr(bars + 5) + "\n";
  }
  const ProgramResult aligned = run_program({kGlossBinary, "align", "--statistical", "--lower-case", "--tsv",
                                             files.write("rows", rows), "-o", files / "links"});
  EXPECT_EQ(aligned.status, 0) << aligned.errors;
  const ProgramResult result = run_program({kGlossBinary, "evaluate", "--task", "align",
                                            concat(folder, "/", name, ".gold"), "--reference-first-word", "1",
                                            "--input", files / "links", "--metrics", "aer", "--score-only"});
  EXPECT_EQ(result.status, 0) << result.errors;
  return std::stod(result.output);
}

TEST(StatisticalAlignmentQuality, ErrorRatesOfHandAlignedSentences) {
  GLOSS_NEED_SHARED_DATA(folder, "word_alignment");
  EXPECT_LT(error_rate(*folder, "enfr"), 16.7);
  EXPECT_LT(error_rate(*folder, "roen"), 38.7);
}

class StatisticalAlignmentMistakes : public StatisticalAlignmentCommand {
 protected:
  static void expect(const ProgramResult& result, int status, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(result.output, "");
    for (const std::string& part : parts) {
      EXPECT_NE(result.errors.find(part), std::string::npos) << part << " in " << result.errors;
    }
  }
};

TEST_F(StatisticalAlignmentMistakes, OptionsOfModelsAreRefused) {
  const std::vector<std::vector<std::string>> mistakes{{"--model", "model"},
                                                       {"--layer", "1"},
                                                       {"--head", "1"},
                                                       {"--all"},
                                                       {"--text"},
                                                       {"--format", "tsv"},
                                                       {"--html", "page.html"},
                                                       {"--title", "x"},
                                                       {"--batch-size", "3"},
                                                       {"--precision", "f32"},
                                                       {"--batch-tokens", "100"},
                                                       {"--target-language", "de"},
                                                       {"--resume"},
                                                       {"--shard", "1/2"}};
  for (const std::vector<std::string>& mistake : mistakes) {
    expect(align_text(mistake), 2, {mistake.front(), "--statistical"});
  }
}

TEST_F(StatisticalAlignmentMistakes, ItsOptionsAreRefusedWithoutIt) {
  for (const std::vector<std::string>& mistake : std::vector<std::vector<std::string>>{
           {"--symmetrize", "union"}, {"--iterations", "5"}, {"--lower-case"}, {"--max-words", "9"}}) {
    std::vector<std::string> words{kGlossBinary, "align", "-m", "model"};
    for (const std::string& word : text()) words.push_back(word);
    for (const std::string& word : mistake) words.push_back(word);
    expect(run_program(words), 2, {mistake.front(), "--statistical"});
  }
  std::vector<std::string> words = text();
  words.insert(words.begin(), {kGlossBinary, "align"});
  expect(run_program(words), 2, {"-m DIR", "--statistical"});
}

TEST_F(StatisticalAlignmentMistakes, FilesThatDoNotFit) {
  files_.write("short", "one\ntwo\n");
  files_.write("empty", "");
  files_.write("blank", "\n\n");
  files_.write("row", "a\tb\nc\n");
  expect(align({"--source", files_ / "source", "--target", files_ / "short"}), 3,
         {"source", "400", "short", "2"});
  expect(align({"--source", files_ / "none", "--target", files_ / "short"}), 3, {"none"});
  files_.write("nothing", "");
  expect(align({"--source", files_ / "empty", "--target", files_ / "empty"}), 3, {"empty is empty"});
  expect(align({"--source", files_ / "empty", "--target", files_ / "nothing"}), 3,
         {"empty and ", "nothing are empty"});
  expect(align({"--tsv", files_ / "empty"}), 3, {"empty is empty"});
  expect(align({"--source", files_ / "blank", "--target", files_ / "short"}), 3, {"blank", "short"});
  expect(align({"--tsv", files_ / "row"}), 3, {"row:2"});
  expect(align({"--source", files_ / "source"}), 2, {"--target"});
}

TEST_F(StatisticalAlignmentMistakes, AFailureKeepsTheOldOutput) {
  files_.write("short", "one\n");
  files_.write("links", "old\n");
  expect(align({"--source", files_ / "source", "--target", files_ / "short", "-o", files_ / "links"}), 3,
         {"source", "short"});
  EXPECT_EQ(read_file(files_ / "links"), "old\n");
}

}  // namespace
}  // namespace gloss
