// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "pipeline/training/training_log.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> updates_in(const std::string& path) {
  std::vector<std::int64_t> updates;
  for (const Checkpoint& checkpoint : list_checkpoints(path)) updates.push_back(checkpoint.update);
  return updates;
}

void write_mark(TrainingDirectory& directory, std::int64_t update, const std::string& mark) {
  directory.write_checkpoint(update, [&](const std::string& folder) { write_file(folder + "/mark", mark); });
}

TEST(TrainingDirectory, ShowsACheckpointOnlyWhenItIsComplete) {
  const TemporaryDirectory folder;
  TrainingDirectory directory(folder / "run");
  write_mark(directory, 500, "first");
  const auto failing = [&](const std::string& partial) {
    write_file(partial + "/mark", "second");
    throw Error("disk full");
  };
  EXPECT_THROW(directory.write_checkpoint(1000, failing), Error);
  EXPECT_THROW(directory.write_checkpoint(500, failing), Error);
  EXPECT_EQ(updates_in(directory.path()), std::vector<std::int64_t>{500});
  EXPECT_EQ(read_file(directory.path() + "/checkpoint-000500/mark"), "first");
  write_mark(directory, 500, "second");
  EXPECT_EQ(read_file(directory.path() + "/checkpoint-000500/mark"), "second");
}

TEST(TrainingDirectory, RemovesOnlyItsOwnLeftovers) {
  const TemporaryDirectory folder;
  fs::create_directories(folder / "run/checkpoint-000700.partial");
  fs::create_directories(folder / "run/checkpoint-000300.removed.partial/deep");
  folder.write("run/checkpoint-000700.partial/model.safetensors", "half");
  folder.write("run/thesis.partial", "mine");
  EXPECT_TRUE(list_checkpoints(folder / "run").empty());
  const TrainingDirectory directory(folder / "run");
  EXPECT_FALSE(fs::exists(folder / "run/checkpoint-000700.partial"));
  EXPECT_FALSE(fs::exists(folder / "run/checkpoint-000300.removed.partial"));
  EXPECT_TRUE(fs::exists(folder / "run/thesis.partial"));
}

TEST(TrainingDirectory, RestoresTheReplacedCheckpointAfterACrash) {
  const TemporaryDirectory folder;
  {
    TrainingDirectory directory(folder / "run");
    write_mark(directory, 31, "whole");
  }
  fs::rename(folder / "run/checkpoint-000031", folder / "run/checkpoint-000031.replaced.partial");
  fs::create_directories(folder / "run/checkpoint-000031.partial");
  {
    const TrainingDirectory directory(folder / "run");
    EXPECT_EQ(updates_in(directory.path()), std::vector<std::int64_t>{31});
    EXPECT_EQ(folder.read("run/checkpoint-000031/mark"), "whole");
    EXPECT_FALSE(fs::exists(folder / "run/checkpoint-000031.partial"));
  }
  fs::create_directories(folder / "run/checkpoint-000031.replaced.partial");  // the crash came later
  const TrainingDirectory directory(folder / "run");
  EXPECT_EQ(folder.read("run/checkpoint-000031/mark"), "whole");
  EXPECT_FALSE(fs::exists(folder / "run/checkpoint-000031.replaced.partial"));
}

TEST(TrainingDirectory, IsNoModelDirectory) {
  const TemporaryDirectory folder;
  fs::create_directories(folder / "model");
  folder.write("model/config.json", "{}");
  EXPECT_THROW(TrainingDirectory(folder / "model"), UsageError);
}

TEST(TrainingDirectory, ListsCheckpointsByNumber) {
  const TemporaryDirectory folder;
  TrainingDirectory directory(folder / "run");
  for (const std::int64_t update : {1'000'000, 500, 0, 999'999}) write_mark(directory, update, "");
  fs::create_directories(folder / "run/checkpoint-old");
  EXPECT_EQ(updates_in(directory.path()), (std::vector<std::int64_t>{0, 500, 999'999, 1'000'000}));
}

TEST(TrainingDirectory, MovesItsLinks) {
  const TemporaryDirectory folder;
  TrainingDirectory directory(folder / "run");
  write_mark(directory, 1, "one");
  write_mark(directory, 2, "two");
  directory.link("best", 1);
  EXPECT_EQ(read_file(directory.path() + "/best/mark"), "one");
  directory.link("best", 2);
  EXPECT_EQ(read_file(directory.path() + "/best/mark"), "two");
}

TEST(TrainingDirectory, IsForOneTrainingAtATime) {
  const TemporaryDirectory folder;
  {
    const TrainingDirectory first(folder / "run");
    EXPECT_THROW(TrainingDirectory second(folder / "run"), Error);
  }
  EXPECT_NO_THROW(TrainingDirectory(folder / "run"));
}

TEST(TrainingDirectory, WritesNothingIntoThatOfAnotherTraining) {
  const TemporaryDirectory folder;
  auto first = std::make_unique<TrainingDirectory>(folder / "run");
  write_mark(*first, 0, "first");
  fs::remove_all(folder / "run");
  const TrainingDirectory second(folder / "run");
  EXPECT_THROW(write_mark(*first, 5, "first"), Error);
  first.reset();
  EXPECT_EQ(names_in(folder / "run"), std::vector<std::string>{".lock"});
  EXPECT_THROW(TrainingDirectory(folder / "run"), Error);
}

TEST(TrainingDirectory, RefusesALinkAsLock) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "run");
  for (const char* target : {"elsewhere", "missing"}) {
    folder.write("elsewhere", "mine");
    fs::create_symlink(folder / target, folder / "run/.lock");
    EXPECT_THROW(TrainingDirectory(folder / "run"), Error);
    EXPECT_TRUE(fs::is_symlink(folder / "run/.lock"));
    fs::remove(folder / "run/.lock");
  }
  EXPECT_FALSE(fs::exists(folder / "missing"));
}

TEST(TrainingDirectory, LeavesNothingIfItCannotBeOpened) {
  const TemporaryDirectory folder;
  fs::create_directories(folder / "run/.lock");
  EXPECT_THROW(TrainingDirectory(folder / "run"), Error);
  fs::remove(folder / "run/.lock");
  // Completing a replacement fails.
  folder.write("run/checkpoint-000000.fresh.partial", "");
  fs::create_directories(folder / "run/checkpoint-000000.partial");
  fs::create_directories(folder / "run/last/notes");
  EXPECT_THROW(TrainingDirectory(folder / "run"), Error);
  fs::remove_all(folder / "run/last");
  EXPECT_NO_THROW(TrainingDirectory(folder / "run")) << "the lock is free";
}

TEST(TrainingDirectory, ResolvesToItsBestModel) {
  const TemporaryDirectory folder;
  TrainingDirectory directory(folder / "run");
  EXPECT_EQ(model_directory_of(directory.path()), "");
  directory.write_checkpoint(5, [](const std::string& path) { write_file(path + "/config.json", "{}"); });
  directory.link("best", 5);
  EXPECT_EQ(model_directory_of(directory.path()), directory.path() + "/best");
  EXPECT_EQ(model_directory_of(directory.checkpoint_path(5)), directory.checkpoint_path(5));
}

/// A training of updates 5 and 10 with a log, links and a file of the user, in the folder "run".
void write_old_training(const TemporaryDirectory& folder) {
  TrainingDirectory directory(folder / "run");
  for (const std::int64_t update : {5, 10}) {
    directory.write_checkpoint(update, [](const std::string& path) {
      write_file(path + "/config.json", "{\"network\": {}}");
      write_file(path + "/model.safetensors", "old");
    });
  }
  directory.link("best", 5);
  directory.link("last", 10);
  folder.write("run/train.log.jsonl", "{\"event\": \"report\"}\n");
  folder.write("run/notes.txt", "mine");
}

std::vector<std::string> sorted_names_in(const std::string& path) {
  std::vector<std::string> names = names_in(path);
  std::sort(names.begin(), names.end());
  return names;
}

TEST(TrainingDirectory, TheFirstCheckpointReplacesAnOlderTraining) {
  const TemporaryDirectory folder;
  write_old_training(folder);
  const std::vector<std::string> before = sorted_names_in(folder / "run");
  {
    TrainingDirectory directory(folder / "run");
    directory.replace_training();
    EXPECT_TRUE(directory.checkpoints().empty());
    EXPECT_THROW(directory.write_checkpoint(0, [](const std::string&) { throw Error("disk full"); }), Error);
  }
  EXPECT_EQ(sorted_names_in(folder / "run"), before);
  TrainingDirectory directory(folder / "run");
  directory.replace_training();
  write_mark(directory, 0, "new");
  EXPECT_EQ(sorted_names_in(folder / "run"),
            (std::vector<std::string>{".lock", "checkpoint-000000", "last", "notes.txt"}));
  EXPECT_EQ(directory.checkpoints().size(), 1u);
  write_mark(directory, 7, "new");
  EXPECT_EQ(updates_in(directory.path()), (std::vector<std::int64_t>{0, 7}));
}

TEST(TrainingDirectory, CompletesAReplacementThatACrashInterrupted) {
  for (const bool shown : {false, true}) {
    const TemporaryDirectory folder;
    write_old_training(folder);
    folder.write("run/checkpoint-000000.fresh.partial", "");
    const std::string fresh = shown ? "run/checkpoint-000000" : "run/checkpoint-000000.partial";
    fs::create_directories(folder / fresh);
    folder.write(fresh + "/mark", "new");
    const TrainingDirectory directory(folder / "run");
    EXPECT_EQ(sorted_names_in(folder / "run"),
              (std::vector<std::string>{".lock", "checkpoint-000000", "last", "notes.txt"}));
    EXPECT_EQ(folder.read("run/last/mark"), "new");
  }
}

TEST(TrainingDirectory, RemovesWhatItMadeIfItHasNoCheckpoint) {
  const TemporaryDirectory folder;
  { const TrainingDirectory directory(folder / "runs/first"); }
  EXPECT_FALSE(fs::exists(folder / "runs"));
  fs::create_directories(folder / "empty");
  { const TrainingDirectory directory(folder / "empty"); }
  EXPECT_TRUE(fs::exists(folder / "empty"));
  EXPECT_EQ(names_in(folder / "empty"), std::vector<std::string>());
  {
    const TrainingDirectory directory(folder / "runs/other");
    write_file(folder / "runs/note", "mine");
  }
  EXPECT_EQ(names_in(folder / "runs"), std::vector<std::string>{"note"});
}

TEST(TrainingDirectory, ReplacesNothingThatOthersWrote) {
  const TemporaryDirectory folder;
  TrainingDirectory directory(folder / "run");
  directory.write_checkpoint(
      1, [](const std::string& path) { write_file(path + "/training.json", "{\"state\": 1}"); });
  fs::create_directories(folder / "run/checkpoint-500");  // as other programs name theirs
  folder.write("run/checkpoint-500/config.json", "{\"network\": {}}");
  folder.write("run/checkpoint-500/trainer_state.json", "{}");
  EXPECT_THROW(directory.replace_training(), UsageError);
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint-500/trainer_state.json"));
  fs::remove_all(folder / "run/checkpoint-500");
  fs::create_directories(folder / "run/best");
  EXPECT_THROW(TrainingDirectory(folder / "run"), UsageError);
  fs::remove_all(folder / "run/best");
  folder.write("run/train.log.jsonl", "dear diary\n");
  EXPECT_THROW(directory.replace_training(), UsageError);
  EXPECT_EQ(updates_in(directory.path()), std::vector<std::int64_t>{1}) << "nothing was removed";
  fs::remove(folder / "run/train.log.jsonl");
  EXPECT_NO_THROW(directory.replace_training());
}

TEST(TrainingLog, IsCutBackToACheckpoint) {
  const TemporaryDirectory folder;
  TrainingLog log(folder / "log");
  for (int i = 1; i <= 3; ++i) log.append({{"update", i}});
  std::ofstream(folder / "log", std::ios::app) << "{\"upd";  // killed while writing
  TrainingLog continued(folder / "log");
  EXPECT_EQ(continued.cut(2), "");
  continued.append({{"update", 30}});
  EXPECT_EQ(continued.lines(), 3);
  EXPECT_EQ(folder.read("log"), "{\"update\":1}\n{\"update\":2}\n{\"update\":30}\n");
  EXPECT_EQ(continued.cut(0), "");
  EXPECT_EQ(folder.read("log"), "");
}

TEST(TrainingLog, LosesOnlyGarbledOrMissingLines) {
  const TemporaryDirectory folder;
  folder.write("log", "{\"update\":1}\n{\"upd" + std::string(9, '\0') + "\n\n{\"update\":4}");
  TrainingLog log(folder / "log");
  EXPECT_EQ(log.cut(5), folder / "log has no reports in line 2, 3 and only 4 lines, expected 5");
  log.append({{"update", 6}});
  EXPECT_EQ(log.lines(), 3);
  EXPECT_EQ(folder.read("log"), "{\"update\":1}\n{\"update\":4}\n{\"update\":6}\n");
  EXPECT_EQ(TrainingLog(folder / "none").cut(0), "");
  EXPECT_EQ(TrainingLog(folder / "none").cut(2), folder / "none has only 0 lines, expected 2");
}

}  // namespace
}  // namespace gloss
