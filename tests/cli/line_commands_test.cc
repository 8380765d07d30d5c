// SPDX-License-Identifier: Apache-2.0
// --resume and --shard of encode, decode, langid, score and align: the same bytes as one run.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <thread>

#include "base/random.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/line_models.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct LineCommands : testing::Test {
  LineCommands() { write_line_models(folder); }

  static std::string text_of(int lines, const std::string& word) {
    std::string text;
    for (std::int64_t i = 0; i < lines; ++i)
      text += i % 9 == 0 ? "\n" : concat("the ", word, " ", i * i, "\n");
    return text;
  }
  /// The commands of parallel text, with the files that write_pairs writes.
  std::vector<Words> commands_of_pairs() const {
    const Words model{"-m", folder / "model"};
    const Words two{"--source", folder / "source", "--target", folder / "target"};
    std::vector<Words> all{
        {"score"},
        {"score", "--format", "json", "--word-scores"},
        {"align"},
        {"align", "--format", "json"},
    };
    for (Words& words : all) {
      words.insert(words.end(), model.begin(), model.end());
      words.insert(words.end(), two.begin(), two.end());
    }
    all.push_back({"score", "-m", folder / "model", "--tsv", folder / "tsv", "--format", "json"});
    all.push_back({"score", "-m", folder / "lm", "--input", folder / "source"});
    all.push_back(
        {"score", "-m", folder / "model", "--source", folder / "source", "--n-best-list", folder / "list"});
    return all;
  }
  /// The commands of one text.
  std::vector<Words> commands_of_lines() const {
    return {{"encode", "-t", folder / "cat.model", "-i", folder / "source", "--output-type", "id"},
            {"encode", "-t", folder / "cat.model", "-i", folder / "source", "--bpe-dropout", "0.3"},
            {"decode", "-t", folder / "cat.model", "-i", folder / "pieces"},
            {"langid", "-i", folder / "source"}};
  }
  void write_pairs(int lines) const {
    const std::string source = folder.write("source", text_of(lines, "cat"));
    folder.write("target", text_of(lines, "dog"));
    std::string tsv, list;
    for (int i = 0; i < lines; ++i) {
      tsv += concat("the cat ", i, "\tthe dog ", i * 7, "\n");
      list += concat(i / 2, " ||| the dog ", i, " ||| LogProbability= -1 Tokens= 3 ||| -0.5\n");
    }
    folder.write("tsv", tsv);
    folder.write("list", list);
    run_program({kGlossBinary, "encode", "-t", folder / "cat.model", "-i", source, "-o", folder / "pieces"});
  }
  ProgramResult run(const Words& command, const std::string& output, const Words& more = {}) const {
    return run_program(full(command, output, more));
  }
  Words full(const Words& command, const std::string& output, const Words& more = {}) const {
    Words words{kGlossBinary};
    words.insert(words.end(), command.begin(), command.end());
    words.insert(words.end(), {"-o", folder / output});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Kills the command at random moments, continues it, and compares with an undisturbed run.
  void expect_to_survive(const Words& command, int kills, Random& random) const {
    ASSERT_EQ(run(command, "whole").status, 0) << join(command, " ");
    constexpr std::uint64_t kLatest = 120;  // milliseconds after the first note
    const std::string journal = folder / "part.partial.run";
    for (int kill = 0; kill < kills && !fs::exists(folder / "part"); ++kill) {
      StartedProgram program(full(command, "part", {"--resume"}), folder / "errors");
      while (program.runs() && !fs::exists(journal))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(kLatest)));
      program.send(SIGKILL);
      program.wait();
    }
    const ProgramResult last = run(command, "part", {"--resume"});
    EXPECT_EQ(last.status, 0) << last.errors;
    EXPECT_EQ(folder.read("part"), folder.read("whole")) << join(command, " ");
    fs::remove(folder / "part");
  }
  /// Makes three shards of an output "joined", joins them and compares them with one run.
  void expect_shards_to_join(const Words& command) const {
    ASSERT_EQ(run(command, "whole").status, 0) << join(command, " ");
    for (const char* shard : {"2/3", "3/3", "1/3"}) {
      const ProgramResult result = run(command, "joined", {"--shard", shard});
      ASSERT_EQ(result.status, 0) << result.errors;
    }
    const ProgramResult merged = run_program({kGlossBinary, "merge", "-o", folder / "joined", "--remove"});
    EXPECT_EQ(merged.status, 0) << merged.errors;
    EXPECT_EQ(folder.read("joined"), folder.read("whole")) << join(command, " ");
  }

  TemporaryDirectory folder;
};

TEST_F(LineCommands, ShardsJoinToTheBytesOfOneRun) {
  for (const int lines : {70, 2}) {
    write_pairs(lines);
    for (const Words& command : commands_of_pairs()) expect_shards_to_join(command);
    for (const Words& command : commands_of_lines()) expect_shards_to_join(command);
  }
}

TEST_F(LineCommands, KilledRunsContinueToTheSameBytes) {
  Random random(11);
  write_pairs(4000);
  for (const Words& command : commands_of_pairs()) expect_to_survive(command, 2, random);
  write_pairs(60'000);
  for (const Words& command : commands_of_lines()) expect_to_survive(command, 2, random);
}

TEST_F(LineCommands, PlacesInMessagesAreThoseOfTheWholeText) {
  write_pairs(60);
  std::string ids;
  for (int i = 1; i <= 60; ++i) ids += i == 50 ? "5 x\n" : "5 6\n";
  folder.write("ids", ids);
  const Words decode{"decode", "-t", folder / "cat.model", "--input-type", "id", "-i", folder / "ids"};
  EXPECT_EQ(run(decode, "joined", {"--shard", "1/3"}).status, 0);
  const ProgramResult ended = run(decode, "joined", {"--shard", "3/3"});
  EXPECT_EQ(ended.status, 3);
  EXPECT_TRUE(has(ended.errors, "ids:50: ")) << ended.errors;
  std::string tsv;
  for (int i = 1; i <= 60; ++i) tsv += i == 50 ? "one\n" : "one\ttwo\n";
  folder.write("tsv", tsv);
  const ProgramResult row =
      run({"score", "-m", folder / "model", "--tsv", folder / "tsv"}, "joined", {"--shard", "3/3"});
  EXPECT_EQ(row.status, 3);
  EXPECT_TRUE(has(row.errors, "tsv:50: ")) << row.errors;
}

TEST_F(LineCommands, RefuseWhatCannotBeDividedOrContinued) {
  write_pairs(20);
  const Words score{"score", "-m", folder / "model", "--source", folder / "source"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Words pairs = with(score, {"--target", folder / "target"});
  const auto expect_refused = [&](const ProgramResult& result, int status, const std::string& part) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_TRUE(has(result.errors, part)) << result.errors << "expected: " << part;
  };
  expect_refused(run(pairs, "out", {"--summary", "--shard", "1/2"}), 2, "--summary");
  expect_refused(run(pairs, "out", {"--summary", "--resume"}), 2, "--summary");
  expect_refused(run({"align", "-m", folder / "model", "--source", folder / "source", "--target",
                      folder / "target", "--html", folder / "page"},
                     "out", {"--shard", "1/2"}),
                 2, "--html");
  folder.write("short", "one\ntwo\n");
  expect_refused(run(with(score, {"--target", folder / "short"}), "out", {"--shard", "1/2"}), 3,
                 "short has 2 lines");
  expect_refused(run(with(score, {"--target", "-"}), "out", {"--shard", "1/2"}), 2, "standard input");
  // The sources of an n-best list are read whole: they decide its scores.
  const Words list = with(score, {"--n-best-list", folder / "list"});
  ASSERT_EQ(run(list, "joined", {"--shard", "1/2"}).status, 0);
  folder.write("source", text_of(20, "mat"));
  ASSERT_EQ(run(list, "joined", {"--shard", "2/2"}).status, 0);
  expect_refused(run_program({kGlossBinary, "merge", "-o", folder / "joined"}), 3, "other_input");
}

}  // namespace
}  // namespace gloss
