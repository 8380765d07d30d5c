// SPDX-License-Identifier: Apache-2.0
// gloss train, stopped, killed and continued.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "pipeline/training/training_directory.h"
#include "tests/cli/train_command.h"
#include "tests/support/started_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// Starts a training and kills it after a random time of up to `longest`. True if updates had started by
/// then.
bool kill_at_random(const std::vector<std::string>& command, const TemporaryDirectory& folder,
                    std::chrono::microseconds longest, Random& random) {
  StartedProgram endless(command, folder / "errors");
  usleep(static_cast<useconds_t>(random.below(static_cast<std::uint64_t>(longest.count()))));
  EXPECT_TRUE(endless.runs()) << folder.read("errors");
  endless.send(SIGKILL);
  endless.wait();
  return folder.read("errors").find("parameters") != std::string::npos;
}

TEST_F(TrainCommand, KilledTwentyTimesAtRandomMomentsGivesTheSameBytes) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> options{
      "--save-minutes",   "0",   "--ema-decay",   "0.9",  // saves after each update
      "--shuffle-window", "100", "--bpe-dropout", "0.1"};
  const auto until = [&](std::int64_t updates) {
    std::vector<std::string> more = with_validation(options);
    more.insert(more.end(), {"--max-updates", std::to_string(updates)});
    return more;
  };
  // The time to the first update on this machine, so that kills hit all stages.
  const Clock::time_point begin = Clock::now();
  ASSERT_EQ(train("first", until(1)).status, 0);
  const auto longest = 2 * std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);

  Random random(20);
  int learning = 0;
  for (int kill = 0; kill < 20; ++kill) {
    learning += kill_at_random(command("killed", until(1'000'000)), folder, longest, random) ? 1 : 0;
  }
  EXPECT_GT(learning, 0);
  const std::vector<Checkpoint> checkpoints = list_checkpoints(folder / "killed");
  const std::int64_t end = (checkpoints.empty() ? 0 : checkpoints.back().update) + 5;
  ASSERT_EQ(train("killed", until(end)).status, 0);
  ASSERT_EQ(train("whole", until(end)).status, 0);
  EXPECT_EQ(differences("killed/last", "whole/last"), kNone) << end << " updates";
  EXPECT_EQ(differences_of_best("killed", "whole"), kNone) << end << " updates";
  EXPECT_EQ(list("killed"), list("whole"));
}

TEST_F(TrainCommand, SavesOnASignalAndContinues) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const std::string name = concat("stopped", signal);
    StartedProgram endless(command(name, {"--max-updates", "1000000"}), folder / "errors");
    const auto learns = [&] {
      return folder.read(name + "/train.log.jsonl").find('\n') != std::string::npos;
    };
    while (endless.runs() && !learns()) usleep(5000);
    endless.send(signal);
    ASSERT_EQ(endless.wait(), 0) << folder.read("errors");
    EXPECT_NE(folder.read("errors").find("stopped by a signal after update"), std::string::npos);
    const nlohmann::json record = nlohmann::json::parse(folder.read(name + "/last/training.json"));
    const std::string end = std::to_string(record["state"]["update"].get<int>() + 20);

    const ProgramResult continued = train(name, {"--max-updates", end, "-j", "1"});
    ASSERT_EQ(continued.status, 0) << continued.errors;
    EXPECT_NE(continued.errors.find("continues the training"), std::string::npos) << continued.errors;
    ASSERT_EQ(train("whole", {"--max-updates", end, "--fresh"}).status, 0);
    EXPECT_EQ(differences(name + "/last", "whole/last"), kNone);
    EXPECT_EQ(list(name), list("whole"));
  }
}

/// The threads of a program that block none of the signals that end it.
std::set<pid_t> threads_for_signals(const StartedProgram& program) {
  std::set<pid_t> threads;
  for (const auto& task : fs::directory_iterator(concat("/proc/", program.process(), "/task"))) {
    std::ifstream file(task.path() / "status");
    const std::string status{std::istreambuf_iterator<char>(file), {}}, name = "SigBlk:\t";
    const std::uint64_t blocked =
        std::stoull(status.substr(status.find(name) + name.size(), 16), nullptr, 16);
    const auto blocks = [&](int signal) { return (blocked >> (signal - 1) & 1) != 0; };
    const bool any = blocks(SIGTERM) || blocks(SIGINT) || blocks(SIGHUP);
    if (!any) threads.insert(std::stoi(task.path().filename().string()));
  }
  return threads;
}

// A handler that interrupts a matrix product of oneDNN would write into the memory that the product works
// with.
TEST_F(TrainCommand, SignalsArriveOnAThreadThatDoesNotCompute) {
  StartedProgram endless(command("run", {"--max-updates", "1000000", "-j", "3"}), folder / "errors");
  while (endless.runs() && folder.read("run/train.log.jsonl").find('\n') == std::string::npos) usleep(5000);
  const std::set<pid_t> threads = threads_for_signals(endless);
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.contains(endless.process())) << "the first thread computes";
  endless.send(SIGTERM);
  EXPECT_EQ(endless.wait(), 0) << folder.read("errors");
}

/// Waits until a program opens a pipe to read; returns its other end.
int opened_by(StartedProgram& program, const std::string& pipe) {
  int descriptor = -1;
  while (program.runs() && (descriptor = open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0) usleep(5000);
  return descriptor;
}

TEST_F(TrainCommand, AfterASignalBeforeTheFirstUpdateTheSameCommandStartsAgain) {
  fs::rename(folder / "train.en", folder / "kept.en");
  ASSERT_EQ(mkfifo((folder / "train.en").c_str(), 0600), 0);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    StartedProgram waiting(command("runs/new"), folder / "errors");
    while (waiting.runs() && !fs::exists(folder / "runs/new/.lock")) usleep(5000);
    const int text = opened_by(waiting, folder / "train.en");
    waiting.send(signal);
    EXPECT_EQ(waiting.wait(), 128 + signal) << folder.read("errors");
    close(text);
    const std::string errors = folder.read("errors");
    EXPECT_NE(errors.find("interrupted before the training began"), std::string::npos) << errors;
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_EQ(list("runs/new"), (std::vector<std::string>{".lock"}));
  }
  fs::rename(folder / "kept.en", folder / "train.en");
  const ProgramResult again = train("runs/new", {"--max-updates", "2"});
  EXPECT_EQ(again.status, 0) << again.errors;
}

TEST_F(TrainCommand, ASignalBeforeATrainingContinuesKeepsItsCheckpoint) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  const auto before = content("run/last");
  fs::remove(folder / "train.en");
  ASSERT_EQ(mkfifo((folder / "train.en").c_str(), 0600), 0);
  StartedProgram waiting(command("run", {"--max-updates", "10"}), folder / "errors");
  const int text = opened_by(waiting, folder / "train.en");
  waiting.send(SIGTERM);
  EXPECT_EQ(waiting.wait(), 128 + SIGTERM) << folder.read("errors");
  close(text);
  const std::string errors = folder.read("errors");
  EXPECT_NE(errors.find("interrupted before the training began"), std::string::npos) << errors;
  EXPECT_TRUE(content("run/last") == before);
}

TEST_F(TrainCommand, AFailureBeforeTheFirstUpdateLeavesNothing) {
  std::vector<std::string> words = command("run");
  words.insert(words.begin(), {"/usr/bin/prlimit", "--fsize=20000"});
  expect_failure(run_program(words), 1, "cannot write");
  EXPECT_FALSE(fs::exists(folder / "run"));
  folder.write("train.en", "one\n");
  expect_failure(train("run"), 3, "train.en");
  EXPECT_FALSE(fs::exists(folder / "run"));
  fs::create_directories(folder / "mine");
  expect_failure(train("mine"), 3, "train.en");
  EXPECT_EQ(list("mine"), kNone);
}

// 'timeout' signals the program and then its process group, to which the program belongs.
TEST_F(TrainCommand, TheSameSignalTwiceAtOnceIsOneRequest) {
  StartedProgram endless(command("run", {"--max-updates", "1000000"}), folder / "errors");
  while (endless.runs() && folder.read("run/train.log.jsonl").find('\n') == std::string::npos) usleep(5000);
  for (int i = 0; i < 5; ++i) {
    endless.send(SIGINT);
    usleep(1000);
  }
  EXPECT_EQ(endless.wait(), 0) << folder.read("errors");
  EXPECT_NE(folder.read("errors").find("stopped by a signal after update"), std::string::npos);
}

TEST_F(TrainCommand, DoesNotCatchIgnoredSignals) {
  std::vector<std::string> words = command("run", {"--max-updates", "1000000"});
  words.insert(words.begin(), {"/usr/bin/nohup"});
  StartedProgram endless(words, folder / "errors");
  const auto lines = [&] {
    const std::string log = folder.read("run/train.log.jsonl");
    return std::count(log.begin(), log.end(), '\n');
  };
  while (endless.runs() && lines() == 0) usleep(5000);
  endless.send(SIGHUP);
  const auto before = lines();
  while (endless.runs() && lines() < before + 3) usleep(5000);
  EXPECT_TRUE(endless.runs()) << folder.read("errors");
}

TEST_F(TrainCommand, ReportsThatItIsFinishedAndContinuesWithAHigherLimit) {
  ASSERT_EQ(train("run").status, 0);
  const ProgramResult again = train("run");
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.errors.find("already finished: 30 updates"), std::string::npos) << again.errors;
  EXPECT_EQ(std::count(again.errors.begin(), again.errors.end(), '\n'), 1) << again.errors;
  const ProgramResult fewer = train("run", {"--max-updates", "20"});
  EXPECT_NE(fewer.errors.find("30 updates, beyond --max-updates 20"), std::string::npos) << fewer.errors;
  const ProgramResult more = train("run", {"--max-updates", "40"});
  EXPECT_EQ(more.status, 0);
  EXPECT_NE(more.errors.find("continues the training"), std::string::npos) << more.errors;
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000040");
  EXPECT_NE(train("run", {"--fresh", "--tokenizer", folder / "missing"}).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000040")
      << "a mistake must not cost the old training";
  ASSERT_EQ(train("run", {"--seed", "3", "--fresh"}).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000030");
}

TEST_F(TrainCommand, StartingOverKeepsTheOldTrainingUntilTheNewOneIsSaved) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  const auto before = content("run/last");
  const std::vector<std::string> names = list("run");
  std::vector<std::string> words = command("run", {"--fresh", "--seed", "3"});
  words.insert(words.begin(), {"/usr/bin/prlimit", "--fsize=20000"});
  expect_failure(run_program(words), 1, "cannot write");
  EXPECT_TRUE(content("run/last") == before);
  EXPECT_EQ(list("run"), names);

  const auto seed = [&] {
    const std::string config = folder.read("run/last/config.json");
    return config.empty() ? 0 : nlohmann::json::parse(config)["training"]["seed"].get<int>();
  };
  const std::vector<std::string> endless =
      command("run", {"--fresh", "--seed", "3", "--max-updates", "1000000"});
  Random random(7);
  for (int kill = 0; kill < 10; ++kill) {
    kill_at_random(endless, folder, std::chrono::milliseconds(400), random);
    ASSERT_TRUE(seed() == 1 || seed() == 3) << "kill " << kill;
    ASSERT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 0) << "kill " << kill;
  }
  ASSERT_EQ(train("run", {"--fresh", "--seed", "3"}).status, 0);
  ASSERT_EQ(train("whole", {"--seed", "3"}).status, 0);
  EXPECT_EQ(differences("run/last", "whole/last"), kNone);
  EXPECT_EQ(list("run"), list("whole"));
}

TEST_F(TrainCommand, RefusesToContinueWithOtherSettingsOrText) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  expect_failure(train("run", {"--seed", "2"}), 2, "was started with --seed 1, now it is 2");
  expect_failure(train("run", {"--clip-norm", "3"}), 2, "--clip-norm 1.0, now it is 3.0");
  expect_failure(train("run", {"--dropout", "0.2"}), 2, "--dropout 0.1, now it is 0.2");
  expect_failure(train("run", with_validation()), 2, "validation text");
  const Text other = number_words(300, 9);
  folder.write("train.en", other.english);
  folder.write("train.de", other.german);
  expect_failure(train("run"), 2, "train.en");
  expect_failure(train("run", {"--max-updates", "5"}), 2, "train.en");  // it is finished
}

TEST_F(TrainCommand, AFullDiskKeepsThePreviousCheckpoint) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  const auto before = content("run/last");
  std::vector<std::string> words = command("run");
  words.insert(words.begin(), {"/usr/bin/prlimit", "--fsize=20000"});
  const ProgramResult result = run_program(words);
  expect_failure(result, 1, "cannot write");
  EXPECT_TRUE(content("run/last") == before);
  EXPECT_EQ(train("run").status, 0);
}

TEST_F(TrainCommand, AFinishedTrainingRemovesOldCheckpoints) {
  const auto checkpoints = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / "run")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("checkpoint-")) names.insert(name);
    }
    return names;
  };
  ASSERT_EQ(train("run", with_validation({"--valid-interval", "5", "--keep-checkpoints", "6"})).status, 0);
  ASSERT_EQ(checkpoints().size(), 6u);
  const std::string best = fs::read_symlink(folder / "run/best").string();
  const ProgramResult again =
      train("run", with_validation({"--valid-interval", "5", "--keep-checkpoints", "2"}));
  EXPECT_NE(again.errors.find("already finished"), std::string::npos) << again.errors;
  EXPECT_EQ(checkpoints(), (std::set<std::string>{"checkpoint-000025", "checkpoint-000030", best}));
}

TEST_F(TrainCommand, RefusesACheckpointWithSettingsOfTheWrongKind) {
  ASSERT_EQ(train("run", {"--max-updates", "10"}).status, 0);
  const std::string path = folder / "run/checkpoint-000010/config.json";
  const std::string config = read_file(path);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = config;
    const std::size_t place = changed.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    write_file(path, changed.replace(place, from.size(), to));
    expect_failure(train("run"), 3, "config.json");
  };
  with("\"ranks\": 1", "\"ranks\": \"x\"");
  with("\"batch_tokens\": 200", "\"batch_tokens\": 99999999999999999");
  with("\"activation\": \"relu\"", "\"activation\": \"gelu\"");
}

TEST_F(TrainCommand, AFinishedTrainingRepairsItsLinks) {
  ASSERT_EQ(train("run", with_validation()).status, 0);
  const fs::path best = fs::read_symlink(folder / "run/best");
  fs::remove(folder / "run/last");
  fs::remove(folder / "run/best");
  EXPECT_EQ(train("run", with_validation()).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/best"), best);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000030");
}

}  // namespace
}  // namespace gloss
