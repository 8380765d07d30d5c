// SPDX-License-Identifier: Apache-2.0
// mpirun -n N gloss translate --input F --output F, and the other commands that answer lines, on one machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <iostream>

#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/line_models.h"
#include "tests/support/mpirun.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct AnswerOnRanks : testing::Test {
  void SetUp() override {
    if (kMpirun == nullptr) {
      std::cerr << "gloss was built without MPI: mpirun gloss translate IS NOT TESTED\n";
      GTEST_SKIP() << "needs libopenmpi-dev and openmpi-bin, and a build after they were installed";
    }
    let_mpirun_start_here();
    write_line_models(folder);
    write_text(90);
  }
  void TearDown() override { detect_leaks_again(); }

  void write_text(int lines) const {
    std::string text;
    for (std::int64_t i = 0; i < lines; ++i)
      text += i % 9 == 0 ? "\n" : concat("the small dog ", i * i, "\n");
    folder.write("text", text);
  }
  static Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words translate(const Words& more = {}) const {
    return joined(
        {"translate", "-m", folder / "model", "--max-length", "12", "-i", folder / "text", "-j", "1"}, more);
  }
  Words alone(const Words& command, const std::string& output) const {
    return joined(joined({kGlossBinary}, command), {"-o", folder / output});
  }
  Words on_ranks(int ranks, const Words& command, const std::string& output) const {
    return joined({kMpirun, "-n", std::to_string(ranks)}, alone(command, output));
  }
  /// The names of files that begin like the output but are not it.
  std::string left_beside(const std::string& output) const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(fs::path(folder / "text").parent_path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(output + ".")) names += name + " ";
    }
    return names;
  }
  void expect_failure_once(const ProgramResult& result, int status, const std::string& message) const {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(occurrences(result.errors, message), 1U) << result.errors;
  }
  std::int64_t noted_bytes(const std::string& output, int ranks) const {
    std::int64_t bytes = 0;
    for (int rank = 1; rank <= ranks; ++rank) {
      std::error_code error;
      const auto size =
          fs::file_size(folder / concat(output, ".shard-", rank, "-of-", ranks, ".partial"), error);
      if (!error) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
  }

  TemporaryDirectory folder;
};

TEST_F(AnswerOnRanks, GiveTheBytesOfOneRun) {
  const std::vector<Words> all{
      translate(),
      translate({"--beam-size", "3", "--n-best", "2"}),
      translate({"--format", "json"}),
      translate({"--sample", "--seed", "3"}),
      {"generate", "-m", folder / "lm", "-i", folder / "text", "--max-tokens", "5"},
      {"embed", "-m", folder / "model", "-i", folder / "text"},
      {"score", "-m", folder / "model", "--source", folder / "text", "--target", folder / "text", "--format",
       "json"},
      {"align", "-m", folder / "model", "--source", folder / "text", "--target", folder / "text"},
      {"encode", "-t", folder / "cat.model", "-i", folder / "text", "--bpe-dropout", "0.2"},
      {"decode", "-t", folder / "cat.model", "-i", folder / "text"},
  };
  for (const Words& command : all) {
    ASSERT_EQ(run_program(alone(command, "whole")).status, 0) << join(command, " ");
    const ProgramResult result = run_program(on_ranks(3, command, "out"));
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(folder.read("out"), folder.read("whole")) << join(command, " ");
    EXPECT_EQ(occurrences(result.errors, concat("gloss ", command.front(), ": 90 ")), 1U) << result.errors;
    EXPECT_TRUE(has(result.errors, "3 ranks")) << result.errors;
    EXPECT_EQ(left_beside("out"), "");
  }
}

TEST_F(AnswerOnRanks, WriteOneReport) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += concat("the small dog ", i, i % 3 == 0 ? ". It sees." : "", "\n");
  folder.write("text", text);
  ASSERT_EQ(run_program(alone(translate({"--report", folder / "alone.report"}), "whole")).status, 0);
  const ProgramResult result = run_program(on_ranks(3, translate({"--report", folder / "report"}), "out"));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(folder.read("out"), folder.read("whole"));
  EXPECT_EQ(folder.read("report"), folder.read("alone.report"));
  EXPECT_TRUE(has(folder.read("report"), "58\tseveral-sentences\t2\n")) << folder.read("report");
  EXPECT_EQ(occurrences(result.errors, "20 with several sentences"), 1U) << result.errors;
  EXPECT_EQ(left_beside("report"), "");
}

TEST_F(AnswerOnRanks, MayBeMoreThanThereAreLines) {
  folder.write("text", "one\ntwo");
  ASSERT_EQ(run_program(alone(translate(), "whole")).status, 0);
  const ProgramResult result = run_program(on_ranks(4, translate(), "out"));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(folder.read("out"), folder.read("whole"));
  folder.write("text", "");
  EXPECT_EQ(run_program(on_ranks(2, translate(), "out")).status, 0);
  EXPECT_EQ(folder.read("out"), "");
}

TEST_F(AnswerOnRanks, WorkByThemselvesWithoutANamedOutput) {
  const Words ranks{kMpirun, "-n", "2"};
  const std::string errors = run_program(joined(joined(ranks, {kGlossBinary}), translate({"-q"}))).errors;
  const std::size_t first = errors.find("each of the 2 processes");
  EXPECT_NE(first, std::string::npos) << errors;
  EXPECT_EQ(errors.find("each of the", first + 1), std::string::npos) << "said once: " << errors;
  const Words shard = translate({"-q", "--shard", "1/1"});
  EXPECT_FALSE(has(run_program(joined(joined(ranks, {kGlossBinary}), shard)).errors, "each of the"));
}

TEST_F(AnswerOnRanks, AKilledRankLosesNothing) {
  constexpr int kRanks = 2;
  write_text(5000);
  for (const Words& options : {Words{"--n-best", "2", "--beam-size", "2"}, Words{"--format", "json"}}) {
    const Words command = translate(options);
    ASSERT_EQ(run_program(alone(command, "whole")).status, 0);
    Random random(5);
    std::int64_t kept = 0;
    for (int kill_number = 0; kill_number < 3 && !fs::exists(folder / "out"); ++kill_number) {
      StartedProgram mpirun(on_ranks(kRanks, joined(command, {"--resume"}), "out"), folder / "errors");
      while (mpirun.runs() && noted_bytes("out", kRanks) <= kept) usleep(2000);
      usleep(static_cast<useconds_t>(random.below(200'000)));
      const pid_t process = process_of_rank(mpirun.process(), kill_number % kRanks);
      if (process > 0) kill(process, SIGKILL);
      mpirun.wait();
      kept = noted_bytes("out", kRanks);
    }
    if (!fs::exists(folder / "out")) {
      expect_failure_once(run_program(on_ranks(kRanks, command, "out")), 2, "--resume");
      const ProgramResult other = run_program(on_ranks(kRanks + 1, joined(command, {"--resume"}), "out"));
      expect_failure_once(other, 2, "mpirun -n 2");
      const ProgramResult last = run_program(on_ranks(kRanks, joined(command, {"--resume"}), "out"));
      ASSERT_EQ(last.status, 0) << last.errors;
      EXPECT_EQ(occurrences(last.errors, "by an earlier run"), 1U) << last.errors;
    }
    EXPECT_EQ(folder.read("out"), folder.read("whole"));
    EXPECT_EQ(left_beside("out"), "");
    fs::remove(folder / "out");
  }
}

TEST_F(AnswerOnRanks, CompletePartsAreNotAnsweredAgain) {
  ASSERT_EQ(run_program(alone(translate(), "whole")).status, 0);
  ASSERT_EQ(run_program(alone(translate({"--shard", "2/3"}), "out")).status, 0);
  const auto result = run_program(on_ranks(3, translate({"--resume"}), "out"));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(folder.read("out"), folder.read("whole"));
  EXPECT_EQ(occurrences(result.errors, "90 lines on 3 ranks ("), 1U) << result.errors;
  EXPECT_TRUE(has(result.errors, "by an earlier run")) << result.errors;
  EXPECT_EQ(left_beside("out"), "");
}

TEST_F(AnswerOnRanks, ASignalToOneStopsAll) {
  write_text(5000);
  ASSERT_EQ(run_program(alone(translate(), "whole")).status, 0);
  StartedProgram mpirun(on_ranks(2, translate(), "out"), folder / "errors");
  while (mpirun.runs() && noted_bytes("out", 2) == 0) usleep(2000);
  const pid_t process = process_of_rank(mpirun.process(), 1);
  if (process > 0) kill(process, SIGTERM);
  const int status = mpirun.wait();
  if (status != 0) {
    EXPECT_EQ(run_program(on_ranks(2, translate({"--resume"}), "out")).status, 0);
  }
  EXPECT_EQ(folder.read("out"), folder.read("whole"));
}

TEST_F(AnswerOnRanks, ReportErrorsOnce) {
  expect_failure_once(run_program(on_ranks(3, translate({"--beam-sise", "1"}), "out")), 2, "beam-sise");
  expect_failure_once(
      run_program(on_ranks(2, {"translate", "-m", folder / "none", "-i", folder / "text"}, "out")), 3,
      "none");
  expect_failure_once(run_program(on_ranks(2, translate({"--format", "html"}), "out")), 2, "mpirun");
  const Words no_file{"translate", "-m", folder / "model"};
  expect_failure_once(run_program(on_ranks(2, no_file, "out")), 2, "standard input");
  fs::create_directory(folder / "directory");
  expect_failure_once(run_program(on_ranks(2, translate(), "directory")), 1, "is a directory");
  const Words npy{"embed", "-m", folder / "model", "-i", folder / "text", "--format", "npy"};
  expect_failure_once(run_program(on_ranks(2, npy, "out")), 2, "NumPy");
  std::string rows = "one\ttwo\n";
  for (int i = 0; i < 30; ++i) rows += "one\ttwo\n";
  folder.write("rows", "one\n" + rows);
  const Words score{"score", "-m", folder / "model", "--tsv", folder / "rows"};
  expect_failure_once(run_program(on_ranks(2, score, "out")), 3, "rows:1");
}

TEST_F(AnswerOnRanks, RefuseDifferentSettings) {
  Words words = on_ranks(1, translate(), "out");
  words = joined(words, joined({":", "-n", "1"}, alone(translate({"--beam-size", "2"}), "out")));
  expect_failure_once(run_program(words), 2, "--beam-size was 5 and is 2");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(AnswerOnRanks, NeedASharedDisk) {
  fs::create_directory(folder / "one");
  fs::create_directory(folder / "two");
  // Ranks in different directories stand for machines whose disks are not shared.
  const auto words_in = [&](const std::string& directory) {
    return joined({"-n", "1", "-wdir", folder / directory, kGlossBinary}, translate({"-o", "out"}));
  };
  const ProgramResult result =
      run_program(joined(joined({kMpirun}, words_in("one")), joined({":"}, words_in("two"))));
  expect_failure_once(result, 1, "out.shard-2-of-2");
  EXPECT_TRUE(fs::is_empty(folder / "one"));
  EXPECT_FALSE(fs::exists(folder / "two/out.shard-2-of-2"));
}

TEST_F(AnswerOnRanks, WriteCompressedOutputs) {
  ASSERT_EQ(run_program(alone(translate(), "whole")).status, 0);
  ASSERT_EQ(run_program(on_ranks(2, translate(), "out.gz")).status, 0);
  EXPECT_NE(folder.read("out.gz"), folder.read("whole"));
  EXPECT_EQ(read_lines(folder / "out.gz"), read_lines(folder / "whole"));
}

TEST_F(AnswerOnRanks, WithShardsOrStreamsEachWorksByItself) {
  ASSERT_EQ(run_program(alone(translate(), "whole")).status, 0);
  const ProgramResult shards = run_program(on_ranks(2, translate({"--shard", "auto"}), "out"));
  ASSERT_EQ(shards.status, 0) << shards.errors;
  EXPECT_FALSE(fs::exists(folder / "out"));
  EXPECT_EQ(run_program({kGlossBinary, "merge", "-o", folder / "out"}).status, 0);
  EXPECT_EQ(folder.read("out"), folder.read("whole"));
  const ProgramResult streams =
      run_program(joined({kMpirun, "-n", "2", kGlossBinary}, translate({"--quiet"})));
  EXPECT_EQ(streams.status, 0) << streams.errors;
  EXPECT_EQ(streams.output.size(), 2 * folder.read("whole").size());
}

}  // namespace
}  // namespace gloss
