// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/failure.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

ProgramResult langid(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), {kGlossBinary, "langid"});
  return run_program(words, input);
}

constexpr const char* kSomeLanguages =
    "The weather in the mountains changes quickly.\n"
    "Das Wetter in den Bergen ändert sich schnell.\n"
    "\n"
    "42\n"
    "Ο καιρός στα βουνά αλλάζει γρήγορα.\n";

TEST(Langid, WritesACodePerLine) {
  const ProgramResult result = langid({}, kSomeLanguages);
  EXPECT_EQ(result.output, "en\nde\nund\nund\nel\n");
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 0);
}

TEST(Langid, ChoosesAmongTheGivenLanguages) {
  EXPECT_EQ(langid({"--languages", "nl,fra_Latn"}, "Das Wetter in den Bergen\n").output, "nl\n");
  EXPECT_EQ(langid({"--languages", "de,en"}, kSomeLanguages).output, "en\nde\nund\nund\nund\n") << "Greek letters";
  EXPECT_EQ(
      langid({"--languages", "de,mt"}, "Kull bniedem għandu d-dritt għall-ħajja u għal-libertà\n").output,
      "mt\n")
      << "a language of CLD2 alone";
  expect_failure(langid({"--languages", "de,klingon"}), 2, {"klingon"});
  expect_failure(langid({"--languages", "de,,en"}), 2, {"--languages"});
}

TEST(Langid, PrintsProbabilities) {
  const ProgramResult result = langid({"--scores"}, kSomeLanguages);
  const std::vector<std::string> lines = split(result.output, '\n');
  EXPECT_TRUE(lines.at(0).starts_with("en\ten=0.9") || lines.at(0).starts_with("en\ten=1.0")) << lines[0];
  EXPECT_EQ(lines.at(2), "und");
}

TEST(Langid, AnswersDoNotDependOnThreadsOrShards) {
  TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += concat(i % 2 == 0 ? "the number " : "die Zahl ", i, "\n");
  const std::string input = folder.write("text", text);
  const std::string one = langid({input, "--threads", "1"}).output;
  EXPECT_EQ(langid({input, "--threads", "3"}).output, one);
  for (const std::string shard : {"1/2", "2/2"}) {
    EXPECT_EQ(langid({input, "--shard", shard, "-o", folder / "out"}).status, 0);
  }
  EXPECT_EQ(run_program({kGlossBinary, "merge", "-o", folder / "out"}).status, 0);
  EXPECT_EQ(folder.read("out"), one);
}

TEST(Langid, UsesModelsOfFastText) {
  GLOSS_NEED_SHARED_DATA(data, "interchange/fasttext");
  const std::string model = *data + "/lid-hs.ftz";
  EXPECT_EQ(langid({"-m", model, "--scores"}, "A vizsgált feltétel igaz.\n").status, 0);
  const std::string text = read_file(*data + "/lines.txt");
  const ProgramResult all = langid({"-m", model, *data + "/lines.txt"});
  std::string expected;
  for (const std::string& line : split(read_file(model + ".top3.txt"), '\n')) {
    if (!line.empty()) expected += line.substr(9, line.find(' ') - 9) + "\n";
  }
  EXPECT_EQ(all.output, expected);
  for (const std::string& code :
       split(langid({"-m", model, "--languages", "deu_Latn,en"}, text).output, '\n')) {
    EXPECT_TRUE(code == "de" || code == "en" || code.empty()) << code;
  }
  expect_failure(langid({"-m", model, "--languages", "th"}), 2, {"lid-hs.ftz", "th"});
}

TEST(Langid, RefusesOtherFiles) {
  TemporaryDirectory folder;
  expect_failure(langid({"-m", folder.write("text.bin", "no model at all")}), 3, {"text.bin", "fastText"});
  expect_failure(langid({"-m", folder.write("empty.bin", "")}), 3, {"empty.bin"});
  expect_failure(langid({"-m", folder / "none.bin"}), 3, {"none.bin"});
}

TEST(Langid, LearnsFromLabelledLines) {
  TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += concat("en the cat and the dog ", i, "\n", "__label__de\tdie Katze und der Hund ", i, "\n");
  }
  const std::string input = folder.write("labelled", text);
  EXPECT_EQ(langid({"--train", input, "-o", folder / "model.ftz"}).status, 0);
  EXPECT_EQ(langid({"-m", folder / "model.ftz"}, "the dog\nund der Hund\nKatze\n").output, "en\nde\nde\n");
  EXPECT_EQ(langid({"--train", input, "-o", folder / "again.ftz"}).status, 0);
  EXPECT_EQ(folder.read("again.ftz"), folder.read("model.ftz"));
  expect_failure(langid({"--train", folder.write("one", "en text\n"), "-o", folder / "x"}), 2, {"1"});
  expect_failure(langid({"--train", folder.write("bare", "en text\nword\n"), "-o", folder / "x"}), 3,
                 {"bare", "2"});
  expect_failure(langid({"--train", input}), 2, {"--output"});
  expect_failure(langid({"--train", "--scores", input, "-o", folder / "x"}), 2, {"--train", "--scores"});
}

TEST(Langid, ReachesTheFiguresOfTheDocumentation) {
  GLOSS_NEED_SHARED_DATA(data, "corpus_cleaning/langid");
  const std::vector<std::string> codes = split(langid({*data + "/lines.txt"}).output, '\n');
  std::map<std::string, std::pair<int, int>> sizes;  // right and all
  const std::vector<std::string> gold = split(read_file(*data + "/gold.tsv"), '\n');
  for (std::size_t i = 1; i < gold.size() && !gold[i].empty(); ++i) {
    const std::vector<std::string> fields = split(gold[i], '\t');
    auto& [right, all] = sizes[fields.at(2)];
    right += fields.at(1) == codes.at(i - 1) ? 1 : 0;
    ++all;
  }
  const auto share = [&](const std::string& size) { return 1.0 * sizes[size].first / sizes[size].second; };
  EXPECT_GE(share("short"), 0.85);
  EXPECT_GE(share("phrase"), 0.97);
  EXPECT_GE(share("sentence"), 0.985);
}

TEST(Langid, AnswersNastyLines) {
  std::string input;
  for (const std::string& line : nasty_lines()) input += line + "\n";
  const ProgramResult result = langid({}, input);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(std::ranges::count(result.output, '\n'), static_cast<std::ptrdiff_t>(nasty_lines().size()));
}

}  // namespace
}  // namespace gloss
