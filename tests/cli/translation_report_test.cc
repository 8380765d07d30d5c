// SPDX-License-Identifier: Apache-2.0
// gloss translate --report: the lines whose translation somebody should look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// `gloss translate --report` with an untrained model: its translations are nonsense but reproducible.
struct TranslationReport : testing::Test {
  TranslationReport() {
    const Subwords vocabulary = small_vocabulary(60);
    fs::create_directory(folder / "model");
    write_untrained_model(folder / "model", vocabulary, vocabulary);
  }
  ProgramResult translate(const std::string& input, std::vector<std::string> options) const {
    if (std::ranges::find(options, "--max-length") == options.end()) {
      options.insert(options.end(), {"--max-length", "9"});
    }
    options.insert(options.begin(),
                   {kGlossBinary, "translate", "-m", folder / "model", "--report", folder / "report"});
    return run_program(options, input);
  }
  /// The rows of a kind.
  std::vector<std::string> rows(const std::string& kind) const {
    std::vector<std::string> found;
    for (const std::string& row : split(folder.read("report"), '\n')) {
      if (row.find("\t" + kind + "\t") != std::string::npos) found.push_back(row);
    }
    return found;
  }
  void expect_failure(const ProgramResult& result, int status, const std::string& part) const {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
  }

  using Rows = std::vector<std::string>;
  TemporaryDirectory folder;
};

TEST_F(TranslationReport, ListsLinesWithTheirReasons) {
  const ProgramResult result =
      translate("the dog\nA dog sees. The house. Home.\n\na \xE2\x82\xAC dog \xE2\x82\xAC\n", {});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(rows("several-sentences"), Rows{"2\tseveral-sentences\t3"});
  EXPECT_EQ(rows("unknown").back(), "4\tunknown\t2");
  EXPECT_NE(result.errors.find("1 with several sentences"), std::string::npos) << result.errors;
  translate("A dog sees. The house. Home.\n", {"--split"});
  EXPECT_EQ(rows("several-sentences"), Rows());
  translate("the small dog sees a big house\n", {"--max-source-tokens", "3"});
  ASSERT_EQ(rows("cut").size(), 1u);
  EXPECT_EQ(translate("", {}).status, 0);
  EXPECT_EQ(folder.read("report"), "");
}

TEST_F(TranslationReport, ListsTranslationsThatRepeatAPhrase) {
  const std::string beginning = "dog dog dog dog dog dog";
  translate("the house\ta\nthe house\t" + beginning + "\ndog dog dog dog\t" + beginning + "\n",
            {"--prefix", "--max-length", "60", "--max-length-factor", "1"});
  const Rows found = rows("repeats");
  ASSERT_FALSE(found.empty());
  bool second = false;
  for (const std::string& row : found) {
    EXPECT_FALSE(row.starts_with("3\t")) << "its source repeats the phrase too";
    second = second || row.starts_with("2\t");
    EXPECT_GE(std::stoi(row.substr(row.rfind('\t') + 1)), 4);
  }
  EXPECT_TRUE(second);
}

TEST_F(TranslationReport, ListsCopies) {
  const std::string line = "the small dog sees a big house";
  // The beginning is the whole translation, since no more tokens are allowed.
  const ProgramResult encoded =
      run_program({kGlossBinary, "encode", "--tokenizer", folder / "model/tokenizer.model"}, line + "\n");
  const auto tokens = concat(std::count(encoded.output.begin(), encoded.output.end(), ' ') + 1);
  const ProgramResult result =
      translate(line + "\t" + line + "\n" + line + "\ta\n", {"--prefix", "--max-length", tokens});
  EXPECT_EQ(split(result.output, '\n').front(), line);
  EXPECT_EQ(rows("copy"), Rows{"1\tcopy\t7"});
  EXPECT_NE(result.errors.find("1 left untranslated"), std::string::npos) << result.errors;
}

TEST_F(TranslationReport, NamesTheLinesOfDocuments) {
  const std::string sign = "\xE2\x82\xAC";
  translate("\nthe dog\nsees\n\n\na " + sign + " dog\n", {"--format", "paragraphs"});
  EXPECT_EQ(rows("unknown"), Rows{"6\tunknown\t1"});
  folder.write("first", "the dog\n\na house");
  folder.write("second", "\n" + sign + "\n");
  translate("", {"--format", "paragraphs", folder / "first", folder / "second"});
  EXPECT_EQ(rows("unknown"), Rows{"5\tunknown\t1"}) << "counts from the first file on";
  translate("<p>\nthe dog\n<p>\na " + sign + " dog\n", {"--format", "html"});
  EXPECT_EQ(rows("unknown"), Rows{"4\tunknown\t1"});
  translate("<xliff version='1.2'><file><body>\n<trans-unit id='1'>\n<source>" + sign +
                " dog</source></trans-unit></body></file></xliff>",
            {"--format", "xliff"});
  EXPECT_EQ(rows("unknown"), Rows{"3\tunknown\t1"});
}

TEST_F(TranslationReport, DependsOnNoBatch) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += concat("the dog ", i % 7 == 0 ? "sees. A house." : "walks", " \xE2\x82\xAC ", i, "\n");
  translate(text, {"--batch-size", "1", "-j", "1"});
  const std::string first = folder.read("report");
  translate(text, {"--batch-size", "64", "-j", "3"});
  EXPECT_EQ(folder.read("report"), first);
  EXPECT_GT(rows("several-sentences").size(), 20u);
}

TEST_F(TranslationReport, IsNoOtherFileOfTheCommand) {
  folder.write("text", "the dog\n");
  const auto refused = [&](const std::string& report, const std::string& output) {
    expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "model", "-i", folder / "text",
                                "-o", output, "--report", report},
                               ""),
                   2, "--report");
  };
  refused(folder / "text", folder / "out");
  refused(folder / "out", folder / "out");
  refused(folder / "out.partial", folder / "out");
  refused(folder / "out.partial.run", folder / "out");
  refused("-", "-");
  EXPECT_EQ(folder.read("text"), "the dog\n");
}

TEST_F(TranslationReport, OfARunThatFailsIsIncomplete) {
  folder.write("report", "old");
  expect_failure(translate("the dog\n", {"--beam-size", "100000"}), 2, "beam");
  EXPECT_EQ(folder.read("report"), "old");
}

}  // namespace
}  // namespace gloss
