// SPDX-License-Identifier: Apache-2.0
// mpirun -n 2 gloss train through the real binary, on one machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "tests/cli/train_command.h"
#include "tests/support/mpirun.h"
#include "tests/support/started_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Two ranks with batches of 100 tokens each; the single rank of TrainCommand has 200.
struct TrainOnRanks : TrainCommand {
  void SetUp() override {
    if (kMpirun == nullptr) {
      std::cerr << "gloss was built without MPI: mpirun gloss train IS NOT TESTED\n";
      GTEST_SKIP() << "needs libopenmpi-dev and openmpi-bin, and a build after they were installed";
    }
    let_mpirun_start_here();
  }
  void TearDown() override { detect_leaks_again(); }

  Words of_each_rank(const std::string& output, const Words& more) {
    Words words = command(output, more);
    *(std::find(words.begin(), words.end(), "--batch-tokens") + 1) = "100";
    words.insert(words.end(), {"--threads", "1"});
    return words;
  }
  static Words with_mpirun(const Words& first, const Words& second) {
    Words words{kMpirun, "-n", "1"};
    words.insert(words.end(), first.begin(), first.end());
    words.insert(words.end(), {":", "-n", "1"});
    words.insert(words.end(), second.begin(), second.end());
    return words;
  }
  Words on_two_ranks(const std::string& output, const Words& more) {
    Words words = of_each_rank(output, more);
    words.insert(words.begin(), {kMpirun, "-n", "2"});
    return words;
  }
  ProgramResult two_ranks(const std::string& output, const Words& more = {}) {
    return run_program(on_two_ranks(output, more));
  }
  std::vector<nlohmann::json> log(const std::string& output) {
    std::vector<nlohmann::json> entries;
    for (const std::string& line : read_lines(folder / (output + "/train.log.jsonl"))) {
      entries.push_back(nlohmann::json::parse(line));
    }
    return entries;
  }
  void expect_told_once(const ProgramResult& result, int status, const std::string& message) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(occurrences(result.errors, message), 1u) << result.errors;
    EXPECT_EQ(occurrences(result.errors, "gloss train: "), 1u) << result.errors;
  }
  /// Starts an endless training, sends a signal to a rank after some updates, and returns the exit status.
  int interrupt(const std::string& output, int rank, int signal) {
    StartedProgram mpirun(on_two_ranks(output, {"--max-updates", "1000000"}), folder / "errors");
    const auto learns = [&] {
      return folder.read(output + "/train.log.jsonl").find('\n') != std::string::npos;
    };
    while (mpirun.runs() && !learns()) usleep(5000);
    const pid_t process = process_of_rank(mpirun.process(), rank);
    EXPECT_GT(process, 0) << folder.read("errors");
    process > 0 ? kill(process, signal) : kill(mpirun.process(), SIGKILL);
    return mpirun.wait();
  }
  /// Continues the training for some updates and compares it with an uninterrupted one.
  void expect_to_continue(const std::string& output) {
    const nlohmann::json record = nlohmann::json::parse(folder.read(output + "/last/training.json"));
    const std::string end = std::to_string(record["state"]["update"].get<int>() + 10);
    const ProgramResult continued = two_ranks(output, {"--max-updates", end});
    ASSERT_EQ(continued.status, 0) << continued.errors;
    EXPECT_EQ(occurrences(continued.errors, "continues the training"), 1u) << continued.errors;
    ASSERT_EQ(two_ranks("whole" + output, {"--max-updates", end}).status, 0);
    EXPECT_EQ(differences(output + "/last", "whole" + output + "/last"), kNone);
  }
};

TEST_F(TrainOnRanks, AgreeWithOneRankAndTwiceTheBatch) {
  const Words options = with_validation({"--valid-interval", "10", "--gradient-shards"});
  const auto with_shards = [&](const std::string& number) {
    Words words = options;
    words.insert(std::find(words.begin(), words.end(), "--gradient-shards") + 1, number);
    return words;
  };
  const ProgramResult two = two_ranks("two", with_shards("2"));
  ASSERT_EQ(two.status, 0) << two.errors;
  EXPECT_EQ(two.output, "");
  EXPECT_EQ(occurrences(two.errors, "2 ranks"), 1u) << two.errors;
  EXPECT_EQ(occurrences(two.errors, "finished after update 30"), 1u) << two.errors;
  ASSERT_EQ(train("one", with_shards("4")).status, 0);
  const std::vector<nlohmann::json> ranks = log("two"), alone = log("one");
  ASSERT_EQ(ranks.size(), 9u);
  ASSERT_EQ(alone.size(), ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i]["event"], alone[i]["event"]);
    EXPECT_EQ(ranks[i]["tokens"], alone[i]["tokens"]);
    EXPECT_NEAR(ranks[i]["cross_entropy"], alone[i]["cross_entropy"], 1e-2);
    if (ranks[i].contains("loss")) {
      EXPECT_NEAR(ranks[i]["loss"], alone[i]["loss"], 1e-2);
    }
  }
  // In the first updates they differ only by rounding.
  EXPECT_NEAR(ranks[0]["loss"], alone[0]["loss"], 1e-4);
}

TEST_F(TrainOnRanks, OneShardEachGivesTheBytesOfOneRankWithTwo) {
  const auto options = [&](const std::string& shards, const std::string& updates) {
    return with_validation({"--gradient-shards", shards, "--max-updates", updates, "--accumulation", "2"});
  };
  ASSERT_EQ(two_ranks("two", options("1", "20")).status, 0);
  ASSERT_EQ(train("one", options("2", "20")).status, 0);
  EXPECT_TRUE(folder.read("two/last/model.safetensors") == folder.read("one/last/model.safetensors"));

  // One rank continues the training of two, if the batches are the same.
  const ProgramResult less = train("two", options("1", "30"));
  expect_failure(less, 2, "was started with --gradient-shards 1 on each of 2 ranks, now it is 1;");
  const ProgramResult on = train("two", options("2", "30"));
  ASSERT_EQ(on.status, 0) << on.errors;
  ASSERT_EQ(train("one", options("2", "30")).status, 0);
  EXPECT_TRUE(folder.read("two/last/model.safetensors") == folder.read("one/last/model.safetensors"));
}

TEST_F(TrainOnRanks, ASignalToOneRankStopsAll) {
  EXPECT_EQ(interrupt("run", 1, SIGTERM), 0);
  const std::string errors = folder.read("errors");
  EXPECT_EQ(occurrences(errors, "stopped by a signal after update"), 1u) << errors;
  expect_to_continue("run");
}

TEST_F(TrainOnRanks, AKilledRankEndsTheJob) {
  for (const int rank : {0, 1}) {
    const std::string name = concat("killed", rank);
    EXPECT_EQ(interrupt(name, rank, SIGKILL), 137);
    const std::string errors = folder.read("errors");
    EXPECT_NE(errors.find(concat("process rank ", rank)), std::string::npos) << errors;
    EXPECT_NE(errors.find("exited on signal 9"), std::string::npos) << errors;
    expect_to_continue(name);
  }
}

TEST_F(TrainOnRanks, ReportFailuresOnce) {
  expect_told_once(two_ranks("run", {"--lerning-rate", "1"}), 2, "lerning-rate");
  expect_told_once(two_ranks("run", {"--tokenizer", folder / "missing"}), 3, "missing");
  folder.write("a file", "");
  expect_told_once(two_ranks("a file/run"), 1, "a file/run");
  // A failure of the second rank only.
  expect_told_once(
      run_program(with_mpirun(of_each_rank("run", {}), of_each_rank("run", {"--valid-source", "one"}))), 2,
      "--valid-target");
  EXPECT_FALSE(fs::exists(folder / "run/last"));
}

TEST_F(TrainOnRanks, RefuseDifferentSettings) {
  const ProgramResult result =
      run_program(with_mpirun(of_each_rank("run", {}), of_each_rank("run", {"--clip-norm", "3"})));
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_EQ(occurrences(result.errors, "other settings than rank 0"), 1u) << result.errors;
}

TEST_F(TrainOnRanks, RefuseAnUnsupportedLauncher) {
  const ProgramResult result = run_program(command("run"), "", {"PMI_SIZE=2"});
  expect_failure(result, 1, "was started as one of 2 processes");
  EXPECT_FALSE(fs::exists(folder / "run"));
}

}  // namespace
}  // namespace gloss
