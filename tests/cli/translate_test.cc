// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  EXPECT_EQ(lines.back(), "") << "the last line has no newline";
  lines.pop_back();
  return lines;
}

std::string text_of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// `gloss translate` with an untrained model: its output is nonsense but reproducible.
class Translate : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryDirectory;
    const Subwords vocabulary = small_vocabulary(330, true);
    write_untrained_model(folder->path(), vocabulary, vocabulary);
  }
  static void TearDownTestSuite() {
    delete folder;
    folder = nullptr;
  }

  static ProgramResult translate(const std::string& input, std::vector<std::string> options = {}) {
    std::vector<std::string> command{kGlossBinary, "translate", "-m", folder->path(), "--max-length", "12"};
    command.insert(command.end(), options.begin(), options.end());
    return run_program(command, input);
  }

  /// Lines of different lengths, some blank.
  static std::vector<std::string> some_lines(int count) {
    std::vector<std::string> lines;
    for (int i = 0; i < count; ++i) {
      std::string line;
      for (int word = 0; word < i * 31 % 13; ++word) line += concat(" house", i % 7);
      lines.push_back(line);
    }
    return lines;
  }

  /// Expects failure with this status and a message that contains `expected`.
  static void expect_failure(const ProgramResult& result, int status, const std::string& expected) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_NE(result.errors.find(expected), std::string::npos) << result.errors;
  }

  static TemporaryDirectory* folder;
};
TemporaryDirectory* Translate::folder = nullptr;

TEST_F(Translate, BytesDependOnNeitherBatchesNorThreadsNorOrder) {
  const std::vector<std::string> lines = some_lines(90);
  for (const std::string beam : {"1", "4"}) {
    const ProgramResult first = translate(text_of_lines(lines), {"--scores", "-b", beam, "-j", "1"});
    ASSERT_EQ(first.status, 0) << first.errors;
    const std::vector<std::string> expected = lines_of_text(first.output);
    ASSERT_EQ(expected.size(), lines.size());
    for (const std::string threads : {"1", "2", "3"}) {
      for (const std::string size : {"1", "7", "64"}) {
        const ProgramResult again =
            translate(text_of_lines(lines),
                      {"--scores", "-b", beam, "-j", threads, "--batch-size", size, "--batch-tokens", "99"});
        EXPECT_EQ(again.output, first.output) << threads << " threads, batches of " << size;
      }
    }
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random(5).shuffle(order);
    std::vector<std::string> shuffled;
    for (const std::size_t line : order) shuffled.push_back(lines[line]);
    const auto found = lines_of_text(translate(text_of_lines(shuffled), {"--scores", "-b", beam}).output);
    ASSERT_EQ(found.size(), lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]);
  }
}

TEST_F(Translate, AsManyLinesOutAsInForAnyInput) {
  for (const std::string& input :
       {std::string(), std::string("\n"), std::string("\n\n \n\t\n"), std::string("no final newline"),
        std::string("one\r\ntwo\r\n\r\n"),
        std::string("a\xE2\x80\xA8"
                    "b\xC2\x85\fc\vd\n"),
        std::string("nul \0 here\n\0\n", 13), std::string("\xff\xfd\n\xc3\n\xed\xa0\x80\n\x80\n"),
        std::string(100'000, 'x') + "\nshort\n",
        std::string("\xEF\xBB\xBF"
                    "byte order mark\n")}) {
    const auto ends = std::count(input.begin(), input.end(), '\n');
    const auto lines = ends + (input.empty() || input.back() == '\n' ? 0 : 1);
    const ProgramResult result = translate(input, {"-b", "1"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), lines) << input.substr(0, 50);
  }
}

TEST_F(Translate, BlankLinesStayEmpty) {
  const auto lines = lines_of_text(translate("\n  \ndog\n\t\r\n").output);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0] + lines[1] + lines[3], "");
  EXPECT_NE(lines[2], "");
}

TEST_F(Translate, WarnsOfCutAndInvalidLines) {
  const ProgramResult result =
      translate("dog\n" + std::string(300, 'o') + "\n\xff\n\xff dog \xff\n", {"--max-source-tokens", "20"});
  EXPECT_NE(result.errors.find("standard input:2: the last 281 of 301 tokens"), std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("limit: 20, "), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("standard input:3: invalid UTF-8"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("3 times on 2 lines"), std::string::npos) << result.errors;
  // Lines longer than the positions of the model are cut as well.
  EXPECT_NE(translate(std::string(300, 'o') + "\n").errors.find("limit: 59, "), std::string::npos);
}

TEST_F(Translate, QuietPrintsOnlyWarnings) {
  EXPECT_EQ(translate("\n\n", {"-q"}).errors, "");
  EXPECT_NE(translate("\n\n").errors.find("2 lines"), std::string::npos);
}

TEST_F(Translate, NBestHasTheDocumentedFormat) {
  const auto best = lines_of_text(translate("dog\n\nhouse\n", {"--scores", "-b", "3"}).output);
  const auto lines = lines_of_text(translate("dog\n\nhouse\n", {"--n-best", "3", "-b", "3"}).output);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[3], "1 |||  ||| LogProbability= 0.000000 Tokens= 0 ||| 0.000000");
  for (const std::size_t place : {0u, 4u}) {
    const std::string score = best[place / 2].substr(0, best[place / 2].find('\t'));
    const std::string text = best[place / 2].substr(score.size() + 1);
    EXPECT_TRUE(lines[place].starts_with(concat(place / 2, " ||| ", text, " ||| LogProbability= -")))
        << lines[place];
    EXPECT_TRUE(lines[place].ends_with(" ||| " + score)) << lines[place];
    double above = 0;
    for (std::size_t i = place; i < place + 3; ++i) {
      double value = 1;
      EXPECT_TRUE(parse_number(lines[i].substr(lines[i].rfind(' ') + 1), value)) << lines[i];
      EXPECT_LE(value, above);
      above = value;
    }
  }
}

TEST_F(Translate, ReadsAndWritesFiles) {
  const TemporaryDirectory files;
  const std::string input = files.write("in", "dog\nhouse\n");
  const ProgramResult result = translate("", {"-i", input, "-o", files / "out"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(files.read("out"), translate("dog\nhouse\n").output);
}

TEST_F(Translate, RefusesWrongUsage) {
  expect_failure(run_program({kGlossBinary, "translate"}), 2, "-m DIR");
  expect_failure(translate("", {"--beam-sise", "3"}), 2, "--beam-size");
  expect_failure(translate("", {"--n-best", "6"}), 2, "--beam-size 5");
  expect_failure(translate("", {"--beam-size", "500"}), 2, "vocabulary of 330");
  expect_failure(translate("", {"--beam-size", "0"}), 2, "beam-size");
  expect_failure(translate("", {"-j", "many"}), 2, "threads");
  expect_failure(translate("", {"--min-length", "13"}), 2, "--max-length 12");
}

TEST_F(Translate, NamesFilesThatCannotBeReadOrWritten) {
  expect_failure(translate("", {"-i", "/no/such/file"}), 3, "/no/such/file");
  expect_failure(run_program({kGlossBinary, "translate", "-m", "/no/such/model"}), 3, "/no/such/model");
  expect_failure(translate("", {"-m", folder->path(), "text.de"}), 3, "text.de");
  const std::string text = folder->write("text", "dog\n");
  expect_failure(run_program({kGlossBinary, "translate", "-m", text}), 3, text + " is no model");
  expect_failure(translate("", {"-m", "/"}), 3, "/ has no model");
  expect_failure(translate("dog\n", {"-o", "/no/such/folder/out"}), 1, "/no/such/folder/out");
  expect_failure(translate("dog\n", {"-o", "/dev/full"}), 1, "/dev/full");
}

TEST_F(Translate, RefusesDamagedModels) {
  for (const std::string name : {"config.json", "model.safetensors", "tokenizer.model"}) {
    const std::string whole = folder->read(name);
    const auto expect_refused = [&](const std::string& bytes, const std::string& how) {
      folder->write(name, bytes);
      const ProgramResult result = translate("dog\n");
      EXPECT_EQ(result.status, 3) << name << " " << how << ": " << result.errors;
      EXPECT_EQ(result.output, "");
      EXPECT_NE(result.errors.find(name), std::string::npos) << how << ": " << result.errors;
    };
    expect_refused("", "emptied");
    expect_refused(whole.substr(0, whole.size() / 2), "cut in half");
    expect_refused(std::string(whole.size(), '\x5a'), "overwritten");
    folder->write(name, whole);
    std::filesystem::rename(*folder / name, *folder / "away");
    const ProgramResult missing = translate("dog\n");
    EXPECT_EQ(missing.status, 3) << name << ": " << missing.errors;
    EXPECT_NE(missing.errors.find(name), std::string::npos) << missing.errors;
    std::filesystem::rename(*folder / "away", *folder / name);
  }
  EXPECT_EQ(translate("dog\n").status, 0);
}

TEST_F(Translate, HelpFitsAndNamesTheFormula) {
  const ProgramResult help = run_program({kGlossBinary, "translate", "--help", "all"});
  EXPECT_EQ(help.status, 0);
  for (const std::string& line : split(help.output, '\n')) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_NE(help.output.find("log-probability / length^A"), std::string::npos);
}

}  // namespace
}  // namespace gloss
