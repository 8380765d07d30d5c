// SPDX-License-Identifier: Apache-2.0
// Outputs made in shards, and joined.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "base/text.h"
#include "tests/support/another_build.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct Merge : testing::Test {
  Merge() {
    const Subwords vocabulary = small_vocabulary(330, true);
    fs::create_directory(folder / "model");
    write_untrained_model(folder / "model", vocabulary, vocabulary);
    std::string text;
    for (int i = 0; i < 60; ++i) text += concat(i % 9 == 0 ? "" : concat("the small dog ", i * i), "\n");
    folder.write("text", text);
  }
  ProgramResult translate(const std::vector<std::string>& options, const std::string& output) const {
    std::vector<std::string> words{kGlossBinary, "translate",     "-m", folder / "model", "--max-length", "8",
                                   "-i",         folder / "text", "-o", folder / output};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words, "");
  }
  void translate_shards(const std::vector<std::string>& options, int count, const std::string& output) const {
    for (int number = count; number > 0; --number) {
      std::vector<std::string> words = options;
      words.insert(words.end(), {"--shard", concat(number, "/", count)});
      const ProgramResult result = translate(words, output);
      ASSERT_EQ(result.status, 0) << result.errors;
    }
  }
  ProgramResult merge(const std::vector<std::string>& words) const {
    std::vector<std::string> all{kGlossBinary, "merge"};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all, "");
  }
  void expect_refused(const std::string& part) const {
    const ProgramResult result = merge({"-o", folder / "joined"});
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, part)) << result.errors << "expected: " << part;
    EXPECT_FALSE(fs::exists(folder / "joined"));
    EXPECT_FALSE(fs::exists(folder / "joined.partial"));
  }
  std::string shard(int number) const { return concat("joined.shard-", number, "-of-3"); }

  TemporaryDirectory folder;
};

TEST_F(Merge, RefusesShardsOfAnotherBuildOfTheProgram) {
  write_another_build(folder / "other");
  fs::copy_file(kGlossBinary, folder / "copy");
  for (const auto& [program, number] : {std::pair("copy", 1), std::pair("other", 2), std::pair("copy", 3)}) {
    const ProgramResult result =
        run_program({folder / program, "translate", "-m", folder / "model", "--max-length", "8", "-i",
                     folder / "text", "-o", folder / "joined", "--shard", concat(number, "/3")});
    ASSERT_EQ(result.status, 0) << result.errors;
  }
  expect_refused("build of the program was");
  fs::remove(folder / shard(2));
  const ProgramResult again = translate({"--shard", "2/3"}, "joined");
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(merge({"-o", folder / "joined"}).status, 0);
}

TEST_F(Merge, GivesTheBytesOfOneRun) {
  const std::vector<std::vector<std::string>> settings{
      {"--beam-size", "1"},
      {"--beam-size", "2", "--n-best", "2"},
      {"--format", "json"},
      {"--sample", "--seed", "3"},
  };
  for (const std::vector<std::string>& options : settings) {
    ASSERT_EQ(translate(options, "whole").status, 0);
    translate_shards(options, 3, "joined");
    const ProgramResult result = merge({"-o", folder / "joined", "--remove"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(folder.read("joined"), folder.read("whole")) << options.front();
    EXPECT_FALSE(fs::exists(folder / shard(1)));
    EXPECT_FALSE(fs::exists(folder / (shard(1) + ".json")));
  }
}

TEST_F(Merge, JoinsReportsToo) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += concat("the small dog ", i, i % 3 == 0 ? ". It sees." : "", "\n");
  folder.write("text", text);
  ASSERT_EQ(translate({"--report", folder / "report"}, "whole").status, 0);
  const std::vector<std::string> options{"--report", folder / "joined.report"};
  translate_shards(options, 3, "joined");
  ASSERT_EQ(merge({"-o", folder / "joined"}).status, 0);
  ASSERT_EQ(merge({"-o", folder / "joined.report"}).status, 0);
  EXPECT_EQ(folder.read("joined"), folder.read("whole"));
  EXPECT_EQ(folder.read("joined.report"), folder.read("report"));
  EXPECT_NE(folder.read("report").find("58\tseveral-sentences\t2\n"), std::string::npos);
  const std::string lost = "joined.report.shard-2-of-3";
  EXPECT_NE(merge({folder / shard(1), folder / lost, folder / shard(3)}).status, 0) << "no output";
  // A shard is complete with its report only.
  const std::string report = folder.read(lost);
  fs::remove(folder / lost);
  EXPECT_EQ(translate({"--report", folder / "joined.report", "--shard", "2/3", "--resume"}, "joined").status,
            0);
  EXPECT_EQ(folder.read(lost), report);
}

TEST_F(Merge, TakesShardsInAnyOrderAndManyShardsOfLittleText) {
  ASSERT_EQ(translate({}, "whole").status, 0);
  translate_shards({}, 3, "joined");
  const ProgramResult result = merge({folder / shard(3), folder / shard(1), folder / shard(2)});
  EXPECT_EQ(result.output, folder.read("whole"));
  folder.write("text", "one\ntwo\n");
  ASSERT_EQ(translate({"--overwrite"}, "none").status, 2) << "there is no such option";
  ASSERT_EQ(translate({}, "few").status, 0);
  translate_shards({}, 12, "some");
  ASSERT_EQ(merge({"-o", folder / "some"}).status, 0);
  EXPECT_EQ(folder.read("some"), folder.read("few"));
}

TEST_F(Merge, NamesShardsThatAreMissingOrIncomplete) {
  translate_shards({}, 3, "joined");
  fs::rename(folder / shard(2), folder / "away");
  expect_refused(folder / shard(2));
  folder.write(shard(2) + ".partial", "");
  expect_refused(shard(2) + ".partial");
  fs::remove(folder / (shard(2) + ".partial"));
  fs::rename(folder / "away", folder / shard(2));
  fs::remove(folder / (shard(3) + ".json"));
  expect_refused(shard(3) + ".json");
  EXPECT_EQ(translate({"--shard", "3/3", "--resume"}, "joined").status, 0);
  EXPECT_EQ(merge({"-o", folder / "joined"}).status, 0);
}

TEST_F(Merge, NamesShardsOfAnotherJob) {
  translate_shards({}, 3, "joined");
  const std::string whole = folder.read(shard(2)), record = folder.read(shard(2) + ".json");
  folder.write(shard(2), whole + "x");
  expect_refused(shard(2));
  folder.write(shard(2), std::string(whole.size(), 'x'));
  expect_refused(shard(2));
  ASSERT_EQ(translate({"--shard", "2/3", "--beam-size", "3"}, "joined").status, 0);
  expect_refused("beam-size");
  folder.write(shard(2), folder.read(shard(1)));
  folder.write(shard(2) + ".json", folder.read(shard(1) + ".json"));
  expect_refused(shard(2));
  folder.write("text", "other\nlines\n");
  ASSERT_EQ(translate({"--shard", "2/3"}, "joined").status, 0);
  expect_refused("total");
  for (const std::string& damaged : {std::string("{}"), std::string("{"), record.substr(0, record.size() / 2),
                                     std::string("{\"format\":1,\"shard\":2}")}) {
    folder.write(shard(2) + ".json", damaged);
    expect_refused(shard(2) + ".json");
  }
  const ProgramResult none = merge({"-o", folder / "none"});
  EXPECT_EQ(none.status, 3);
  EXPECT_EQ(merge({}).status, 2);
}

TEST_F(Merge, ACompleteShardIsNotTranslatedAgain) {
  translate_shards({}, 3, "joined");
  const auto time = fs::last_write_time(folder / shard(2));
  const ProgramResult again = translate({"--shard", "2/3", "--resume"}, "joined");
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(has(again.errors, shard(2))) << again.errors;
  EXPECT_EQ(fs::last_write_time(folder / shard(2)), time);
  const ProgramResult other = translate({"--shard", "2/3", "--resume", "--beam-size", "1"}, "joined");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.errors, "--beam-size was 5 and is 1")) << other.errors;
  EXPECT_EQ(fs::last_write_time(folder / shard(2)), time);
}

TEST_F(Merge, NeverReplacesAShard) {
  translate_shards({}, 3, "joined");
  const std::string part = folder.read(shard(1));
  const std::vector<std::string> all{folder / shard(1), folder / shard(2), folder / shard(3)};
  std::vector<std::string> words = all;
  words.insert(words.end(), {"-o", concat(folder.path(), "/./", shard(1))});
  const ProgramResult result = merge(words);
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result.errors, shard(1))) << result.errors;
  EXPECT_EQ(folder.read(shard(1)), part);
}

TEST_F(Merge, ShardsAreRefusedWhereTheyCannotBe) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--shard", "4/3"}, {"--shard", "x"}, {"--shard", "1/2", "--format", "html"}}) {
    EXPECT_EQ(translate(options, "out").status, 2) << options.back();
  }
  const ProgramResult pipe =
      run_program({kGlossBinary, "translate", "-m", folder / "model", "--shard", "1/2"}, "one\ntwo\n");
  EXPECT_EQ(pipe.status, 2) << pipe.errors;
  EXPECT_TRUE(has(pipe.errors, "--input")) << pipe.errors;
}

/// Feeds partitions as Hadoop or Spark do; one that was killed is fed again.
TEST_F(Merge, PartitionsOfAStreamGiveTheSameBytes) {
  ASSERT_EQ(translate({}, "whole").status, 0);
  const std::vector<std::string> words{kGlossBinary,     "translate",    "-m",
                                       folder / "model", "--max-length", "8"};
  const std::vector<std::string> lines = split(folder.read("text"), '\n');
  std::string output, partition;
  constexpr std::size_t kLines = 17;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    partition += lines[i] + "\n";
    if ((i + 1) % kLines != 0 && i + 2 < lines.size()) continue;
    folder.write("partition", partition);
    folder.write("lost", "");
    StartedProgram killed(words, folder / "errors", folder / "lost", folder / "partition");
    killed.send(SIGKILL);
    EXPECT_EQ(killed.wait(), 128 + SIGKILL);
    output += run_program(words, partition).output;
    partition.clear();
  }
  EXPECT_EQ(output, folder.read("whole"));
}

}  // namespace
}  // namespace gloss
