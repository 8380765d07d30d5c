// SPDX-License-Identifier: Apache-2.0
// Sets for training, validation and tests have their sizes, and none repeats another one.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "pipeline/preparation/near_duplicates.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct PartitionCommand : testing::Test {
  ProgramResult run(Words words, const std::string& input = "") const {
    words.insert(words.begin(), {kGlossBinary, "partition"});
    return run_program(words, input);
  }
  std::vector<std::string> set(const std::string& name) const {
    std::vector<std::string> lines = split(folder.read(name), '\n');
    if (!lines.empty()) lines.pop_back();
    return lines;
  }
  TemporaryDirectory folder;
};

/// Rows 'source TAB target TAB document TAB origin'; of ten, three nearly repeat earlier ones on one side.
std::string rows_of(int count) {
  Random random(11);
  const auto text = [&](std::uint64_t words) {
    std::string line;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (i > 0) line += ' ';
      for (int letter = 0; letter < 6; ++letter) line += static_cast<char>('a' + random.below(26));
    }
    return line;
  };
  std::vector<std::array<std::string, 2>> pairs;
  std::string rows;
  for (int row = 0; row < count; ++row) {
    std::array<std::string, 2> pair{text(6 + random.below(5)), text(6 + random.below(5))};
    const std::uint64_t kind = random.below(10);
    if (kind < 3 && row > 0) {
      const auto& earlier = pairs[random.below(pairs.size())];
      if (kind != 0) pair[0] = "And " + earlier[0];
      if (kind != 1) pair[1] = earlier[1] + "!";
    }
    pairs.push_back(pair);
    rows += concat(pair[0], "\t", pair[1], "\td", row / 5, "\t", row % 4 == 0 ? "news" : "web", "\n");
  }
  return rows;
}

TEST_F(PartitionCommand, NoSetRepeatsAnother) {
  const std::string rows = rows_of(2000);
  const ProgramResult result =
      run({"--tsv", folder.write("in", rows), "--valid", "100", "--test", "5%", "-o", folder / "sets"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "2000") && has(result.errors, "1800 train")) << result.errors;
  std::map<std::string, std::string> set_of;
  std::string all;
  for (const std::string name : {"train", "valid", "test"}) {
    const std::vector<std::string> lines = set("sets/" + name + ".tsv");
    EXPECT_EQ(lines.size(), name == "train" ? 1800U : 100U);
    for (const std::string& line : lines) set_of[line] = name;
  }
  EXPECT_EQ(set_of.size(), 2000U);
  for (const std::string side : {"source", "target"}) {
    std::vector<std::string> texts, names;
    for (const auto& [line, name] : set_of) {
      texts.push_back(split(line, '\t')[side == "source" ? 0 : 1]);
      names.push_back(name);
    }
    const NearDuplicates known({texts.begin(), texts.end()});
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::vector<std::size_t> like;
      known.find(texts[i], like);
      for (const std::size_t other : like)
        EXPECT_EQ(names[i], names[other]) << texts[i] << "\n" << texts[other];
    }
  }
}

TEST_F(PartitionCommand, DocumentsStayWholeAndOriginsHaveTheirShares) {
  const std::string in = folder.write("in", "source\ttarget\tdoc\torigin\n" + rows_of(1200));
  const Words words{"--tsv", in, "--header", "--valid", "200", "-o", folder / "sets"};
  Words by_document = words, by_origin = words;
  by_document.insert(by_document.end(), {"--document", "doc", "--similarity", "1"});
  by_origin.insert(by_origin.end(), {"--stratify", "origin"});
  ASSERT_EQ(run(by_document).status, 0);
  std::set<std::string> documents;
  for (const std::string& row : set("sets/valid.tsv")) documents.insert(split(row, '\t')[2]);
  documents.erase("doc");  // the first line
  for (const std::string& row : set("sets/train.tsv"))
    EXPECT_FALSE(documents.contains(split(row, '\t')[2])) << row;
  EXPECT_EQ(set("sets/train.tsv")[0], "source\ttarget\tdoc\torigin");
  ASSERT_EQ(run(by_origin).status, 0);
  int news = 0;
  for (const std::string& row : set("sets/valid.tsv")) news += row.ends_with("news") ? 1 : 0;
  EXPECT_NEAR(news, 50, 6);  // clusters have lines of both
}

TEST_F(PartitionCommand, DependsOnTheSeedAlone) {
  const std::string rows = rows_of(3000);
  const auto sets = [&](Words words, const std::string& input) {
    words.insert(words.end(), {"--valid", "5%", "-o", folder / "sets", "-q"});
    EXPECT_EQ(run(words, input).status, 0);
    return folder.read("sets/train.tsv") + "|" + folder.read("sets/valid.tsv");
  };
  const std::string one = sets({"--tsv", folder.write("in", rows), "--threads", "1"}, "");
  EXPECT_EQ(one, sets({"--tsv", folder / "in", "--threads", "3", "--memory", "1"}, ""));
  EXPECT_EQ(one, sets({"--tsv", "-"}, rows));
  EXPECT_NE(one, sets({"--tsv", "-", "--seed", "2"}, rows));
}

TEST_F(PartitionCommand, FilesAreNamedAfterLanguages) {
  const ProgramResult result = run({"--source", folder.write("s", "one\ntwo\nthree\n"), "--target",
                                    folder.write("t", "eins\nzwei\ndrei\n"), "--languages", "en", "de",
                                    "--test", "1", "-o", folder / "sets"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(set("sets/train.en").size(), 2U);
  EXPECT_EQ(set("sets/test.de").size(), 1U);
  EXPECT_EQ(set("sets/valid.de").size(), 0U);
}

TEST_F(PartitionCommand, ImpossibleSetsAreRefused) {
  const std::string in = folder.write("in", "a\tb\nc\td\n");
  const std::string sets = folder / "sets";
  EXPECT_EQ(run({"--tsv", in, "-o", sets}).status, 2);
  EXPECT_EQ(run({"--tsv", in, "--valid", "1"}).status, 2);
  for (const std::string size : {"x", "-1", "101%", "nan", "%"}) {
    EXPECT_EQ(run({"--tsv", in, "--valid", size, "-o", sets}).status, 2) << size;
  }
  EXPECT_EQ(run({"--tsv", in, "--valid", "1", "--document", "doc", "-o", sets}).status, 2);
  EXPECT_EQ(run({"--tsv", in, "--valid", "2", "--test", "1", "-o", sets}).status, 3);
  EXPECT_FALSE(fs::exists(sets + "/train.tsv"));
  fs::create_directories(sets);
  fs::copy(in, sets + "/train.tsv");
  const ProgramResult same = run({"--tsv", sets + "/train.tsv", "--valid", "1", "-o", sets});
  EXPECT_EQ(same.status, 2) << same.errors;
  EXPECT_EQ(folder.read("sets/train.tsv"), "a\tb\nc\td\n");
  const ProgramResult whole =
      run({"--tsv", folder.write("same", "a\tb\na\tb\na\tb\n"), "--valid", "1", "-o", sets});
  EXPECT_EQ(whole.status, 0);
  EXPECT_TRUE(has(whole.errors, "valid") && has(whole.errors, "0 of 1")) << whole.errors;
  EXPECT_EQ(run({"--tsv", "-", "--valid", "2%", "-o", sets}, "").status, 0);
}

}  // namespace
}  // namespace gloss
