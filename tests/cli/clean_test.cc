// SPDX-License-Identifier: Apache-2.0
// gloss clean: every line is kept or rejected, whatever the form of the input, the threads, shards and kills.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tests/support/failure.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct CleanCommand : testing::Test {
  ProgramResult clean(const Words& more) const {
    Words words{kGlossBinary, "clean"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// Pairs of which every fifth has no target, every seventh other numbers.
  static std::string pairs(int count) {
    std::string rows;
    for (int i = 0; i < count; ++i) {
      rows += concat("House ", 100 + i, " stands &amp; waits .\t",
                     i % 5 == 0 ? "" : concat("Haus ", 100 + i + (i % 7 == 0 ? 1 : 0), " steht und wartet."),
                     "\n");
    }
    return rows;
  }
  /// The lines of a file.
  Words lines(const std::string& name) const {
    Words all = split(folder.read(name), '\n');
    all.pop_back();
    return all;
  }

  TemporaryDirectory folder;
};

TEST_F(CleanCommand, WorksWithAFileAndLanguagesAlone) {
  const std::string input = folder.write("in.tsv", pairs(70));
  const ProgramResult result = clean({"--tsv", input, "--languages", "en", "de", "-o", folder / "out.tsv",
                                      "--rejected", folder / "rejected.tsv"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const Words kept = lines("out.tsv"), rejected = lines("rejected.tsv");
  EXPECT_EQ(kept.size() + rejected.size(), 70U);
  EXPECT_EQ(kept.at(0), "House 101 stands & waits.\tHaus 101 steht und wartet.");
  EXPECT_TRUE(
      rejected.at(0).starts_with("1\tvisible_characters\ttarget\t0\tHouse 100 stands &amp; waits .\t"))
      << rejected[0];
  EXPECT_TRUE(rejected.at(2).starts_with("8\tnumber_difference\t-\t2\t")) << rejected[2];
  for (const std::string& part :
       {std::string("70 pairs"), concat(kept.size(), " kept"), concat(rejected.size(), " rejected"),
        std::string("repaired entities"), std::string("number_difference")}) {
    EXPECT_TRUE(has(result.errors, part)) << part << ": " << result.errors;
  }
}

TEST_F(CleanCommand, FormsOfOneCorpusGiveTheSameRows) {
  const std::string rows = pairs(20);
  std::string source, target, json, tmx = "<tmx version=\"1.4\"><body>";
  for (const std::string& row : split(rows.substr(0, rows.size() - 1), '\n')) {
    const Words sides = split(row, '\t');
    source += sides[0] + "\n";
    target += sides[1] + "\n";
    json += concat(R"({"src": ")", sides[0], R"(", "trg": ")", sides[1], "\"}\n");
    std::string escaped;
    for (const char c : sides[0]) escaped += c == '&' ? std::string("&amp;") : std::string(1, c);
    tmx += concat("<tu><tuv xml:lang=\"en\"><seg>", escaped, "</seg></tuv><tuv xml:lang=\"de\"><seg>",
                  sides[1], "</seg></tuv></tu>\n");
  }
  const std::vector<std::pair<std::string, Words>> forms{
      {"tsv", {"--tsv", folder.write("f.tsv", rows)}},
      {"two", {"--source", folder.write("f.en", source), "--target", folder.write("f.de", target)}},
      {"tmx", {"--tmx", folder.write("f.tmx", tmx + "</body></tmx>"), "--languages", "en", "de"}},
      {"zip",
       {"--zip", folder.write("f.zip", zip_bytes({{"C.en", source}, {"C.de", target}})), "--languages", "en",
        "de"}},
      {"jsonl", {"--jsonl", folder.write("f.jsonl", json)}}};
  for (const auto& [name, words] : forms) {
    Words all = words;
    all.insert(all.end(), {"-o", folder / name, "--rejected", folder / (name + ".rejected")});
    const ProgramResult result = clean(all);
    ASSERT_EQ(result.status, 0) << name << result.errors;
    std::string kept = folder.read(name);
    if (name == "jsonl") kept.erase(0, kept.find('\n') + 1);  // the names of the columns
    EXPECT_EQ(kept, folder.read("tsv")) << name;
    EXPECT_EQ(lines(name + ".rejected").size(), lines("tsv.rejected").size()) << name;
  }
}

TEST_F(CleanCommand, WritesTwoFilesScoresAndAPage) {
  const std::string input = folder.write("in.tsv", pairs(40));
  const ProgramResult result =
      clean({"--tsv", input, "-o", folder / "out.en", "--output-target", folder / "out.de", "--scores",
             folder / "scores", "--html", folder / "page.html", "--sample", "3"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines("out.en").size(), lines("out.de").size());
  EXPECT_EQ(lines("out.de").at(0), "Haus 101 steht und wartet.");
  const Words scores = lines("scores");
  ASSERT_EQ(scores.size(), 41U);
  EXPECT_TRUE(scores[0].starts_with("line\tvisible_characters (source)\tvisible_characters (target)\t"))
      << scores[0];
  for (const std::string& row : scores) EXPECT_EQ(split(row, '\t').size(), split(scores[0], '\t').size());
  const std::string page = folder.read("page.html");
  for (const std::string part : {"visible_characters", "number_difference", "shown: 3", "Rejected: 8"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
}

TEST_F(CleanCommand, KeepsFurtherColumnsAndHeaders) {
  const std::string input = folder.write(
      "in.tsv", "url\ten\tde\tscore\na.org\tThe  sea .\tDas Meer.\t0.5\nb.org\tThe sea.\t\t0.1\n");
  ASSERT_EQ(clean({"--tsv", input, "--columns", "en", "de", "-o", folder / "out"}).status, 0);
  EXPECT_EQ(folder.read("out"), "url\ten\tde\tscore\na.org\tThe sea.\tDas Meer.\t0.5\n");
}

TEST_F(CleanCommand, CleansOneLanguage) {
  const std::string input = folder.write("in", "The  sea.\n\n<b>Old</b> houses.\n");
  ASSERT_EQ(clean({"-i", input, "-o", folder / "out", "--rejected", folder / "rejected"}).status, 0);
  EXPECT_EQ(folder.read("out"), "The sea.\nOld houses.\n");
  EXPECT_EQ(folder.read("rejected"), "2\tvisible_characters\tsource\t0\t\n");
}

TEST_F(CleanCommand, ThreadsShardsAndKillsGiveTheSameBytes) {
  const std::string input = folder.write("in.tsv", "en\tde\n" + pairs(30'000));
  const auto outputs = [&](const std::string& name) {
    return Words{"--tsv",
                 input,
                 "--header",
                 "-o",
                 folder / name,
                 "--rejected",
                 folder / (name + ".rejected"),
                 "--scores",
                 folder / (name + ".scores")};
  };
  const auto run = [&](const std::string& name, const Words& more) {
    Words words = outputs(name);
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = clean(words);
    EXPECT_EQ(result.status, 0) << result.errors;
  };
  const auto expect_same = [&](const std::string& name) {
    for (const std::string kind : {"", ".rejected", ".scores"}) {
      EXPECT_EQ(folder.read(name + kind), folder.read("whole" + kind)) << name << kind;
    }
  };
  run("whole", {"--threads", "1"});
  run("threads", {"--threads", "3"});
  expect_same("threads");
  for (const std::string shard : {"1/3", "2/3", "3/3"}) run("joined", {"--shard", shard});
  for (const std::string kind : {"", ".rejected", ".scores"}) {
    const ProgramResult merged = run_program({kGlossBinary, "merge", "-o", folder / ("joined" + kind)});
    EXPECT_EQ(merged.status, 0) << merged.errors;
  }
  expect_same("joined");
  Words words{kGlossBinary, "clean"};
  for (const std::string& word : outputs("killed")) words.push_back(word);
  words.push_back("--resume");
  for (int kill = 0; kill < 3 && !fs::exists(folder / "killed"); ++kill) {
    StartedProgram program(words, folder / "errors");
    while (program.runs() && !fs::exists(folder / "killed.partial.run"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(40 * kill));
    program.send(SIGKILL);
    program.wait();
  }
  run("killed", {"--resume"});
  expect_same("killed");
}

TEST_F(CleanCommand, BrokenLinesAreErrorsOrRejected) {
  const std::string input = folder.write("in.tsv", "The sea.\tDas Meer.\nalone\nThe bay.\tDie Bucht.\n");
  expect_failure(clean({"--tsv", input, "-o", folder / "out"}), 3, {"in.tsv:2", "1 column", "--skip-broken"});
  const ProgramResult result =
      clean({"--tsv", input, "-o", folder / "kept", "--rejected", folder / "rejected", "--skip-broken"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines("kept").size(), 2U);
  EXPECT_TRUE(folder.read("rejected").starts_with("2\tbroken\t-\t")) << folder.read("rejected");
  EXPECT_TRUE(has(result.errors, "rejected broken")) << result.errors;
}

TEST_F(CleanCommand, LongLinesAreRejectedAndInvalidBytesCounted) {
  const std::string input = folder.write("in.tsv", "Caf\xe9.\tKaffee.\n" + std::string(5000, 'a') + "\tb\n");
  const ProgramResult result = clean(
      {"--tsv", input, "-o", folder / "out", "--rejected", folder / "rejected", "--max-line-bytes", "1000"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(folder.read("out"), "");
  const Words rejected = lines("rejected");
  ASSERT_EQ(rejected.size(), 2U);
  EXPECT_TRUE(rejected[0].starts_with("1\treplacement_characters\tsource\t1\t")) << rejected[0];
  EXPECT_TRUE(rejected[1].starts_with("2\ttoo_long\t-\t")) << rejected[1].substr(0, 50);
  EXPECT_TRUE(has(result.errors, "invalid UTF-8")) << result.errors;
}

TEST_F(CleanCommand, TakesSettingsThatAnotherCallWrote) {
  const std::string input = folder.write("in.tsv", pairs(20));
  ASSERT_EQ(clean({"--preset", "moses", "--write-settings", folder / "moses.json"}).status, 0);
  ASSERT_EQ(clean({"--tsv", input, "--preset", "moses", "-o", folder / "a"}).status, 0);
  ASSERT_EQ(clean({"--tsv", input, "--settings", folder / "moses.json", "-o", folder / "b"}).status, 0);
  EXPECT_EQ(folder.read("a"), folder.read("b"));
  const std::string pattern =
      folder.write("p.json", R"({"rules": [{"rule": "pattern", "text": "10[0-4]", "at_most": 0}]})");
  ASSERT_EQ(clean({"--tsv", input, "--settings", pattern, "-o", folder / "c"}).status, 0);
  EXPECT_EQ(lines("c").size(), 15U);
}

TEST_F(CleanCommand, RefusesContradictions) {
  const std::string input = folder.write("in.tsv", "a\tb\n");
  const std::string output = folder / "out";
  expect_failure(clean({"--tsv", input, "--input", input, "-o", output}), 2, {"--tsv", "--input"});
  expect_failure(clean({"-o", output}), 2, {"--tsv"});
  expect_failure(clean({"--tsv", input, "--preset", "mosses", "-o", output}), 2, {"moses"});
  expect_failure(clean({"--tsv", input, "-o", input}), 2, {"--tsv"});
  expect_failure(clean({"--tsv", input, "-o", output, "--rejected", output}), 2, {"--output"});
  expect_failure(clean({"--tsv", input, "--sample", "3", "-o", output}), 2, {"--html"});
  expect_failure(clean({"--tsv", input, "--html", folder / "x", "--resume", "-o", output}), 2, {"--html"});
  expect_failure(clean({"--tsv", input, "--settings", folder / "missing.json", "-o", output}), 3,
                 {"missing.json"});
}

}  // namespace
}  // namespace gloss
