// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_loop.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "tests/pipeline/training/fake_training.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

TEST_F(TrainingTest, Learns) {
  EXPECT_EQ(run("run"), TrainingEnd::max_updates);
  EXPECT_EQ(state.update, 40);
  const std::vector<std::string> log = read_lines(folder / "run/train.log.jsonl");
  ASSERT_EQ(log.size(), 6u);
  const nlohmann::json first = parse_json(log.front(), "log"), last = parse_json(log.back(), "log");
  EXPECT_EQ(first["event"], "report");
  EXPECT_EQ(first["update"], 7);
  EXPECT_LT(last["loss"], first["loss"].get<double>() / 2);
  EXPECT_EQ(last["update"], 40) << "the last one, though not at the interval";
  for (const char* name : {"epoch", "perplexity", "cross_entropy", "learning_rate", "gradient_norm", "tokens",
                           "tokens_per_second", "waiting_seconds", "seconds"}) {
    EXPECT_TRUE(last.contains(name)) << name;
  }
}

TEST_F(TrainingTest, ReportsTheLastUpdateHoweverItEnds) {
  settings.training.report_interval = 100;
  run("run");
  EXPECT_EQ(read_lines(folder / "run/train.log.jsonl").size(), 1u);
  settings.training.max_updates = 50;
  run("run");
  EXPECT_EQ(run("run"), TrainingEnd::max_updates) << "nothing is left to do";
  run("whole");
  EXPECT_EQ(content_of("run/last"), content_of("whole/last"));
  const std::vector<std::string> log = read_lines(folder / "run/train.log.jsonl");
  ASSERT_EQ(log.size(), 1u) << "that of the first end is replaced";
  EXPECT_EQ(parse_json(log[0], "log")["update"], 50);
  validate = [] { return ValidationFigures{.cross_entropy = 1}; };
  settings.training.valid_interval = 2;
  settings.training.early_stopping = 2;
  EXPECT_EQ(run("early"), TrainingEnd::early_stopping);
  EXPECT_EQ(parse_json(read_lines(folder / "early/train.log.jsonl").back(), "log")["event"], "report");
}

TEST_F(TrainingTest, GivesTheSameWeightsForAnyNumberOfThreads) {
  run("one", 1);
  run("two", 2);
  run("five", 5);
  EXPECT_EQ(weights_of("one"), weights_of("two"));
  EXPECT_EQ(weights_of("one"), weights_of("five"));
}

TEST_F(TrainingTest, DependsOnTheSeed) {
  run("one");
  settings.training.seed = 2;
  run("two");
  EXPECT_NE(weights_of("one"), weights_of("two"));
}

TEST_F(TrainingTest, StoppedOrKilledAndContinuedGivesTheSameBytes) {
  settings.training.keep_checkpoints = 100;
  run("whole");
  for (const std::int64_t step : {1, 3, 11}) {
    const std::string name = "stopped" + std::to_string(step);
    int runs = 1;
    while (run(name, 1, step) == TrainingEnd::stopped) {
      EXPECT_EQ(state.update, step * runs);
      ASSERT_LT(++runs, 50);
    }
    EXPECT_EQ(content_of(name), content_of("whole"));
    EXPECT_EQ(read_lines(folder / (name + "/train.log.jsonl")).size(), 6u);
  }
  const auto killed = [&](std::int64_t after) {
    try {
      run("killed", 1, -after);
      return false;
    } catch (const std::runtime_error&) {
      return true;
    }
  };
  int kills = 0;
  while (killed(3 + kills % 9)) ASSERT_LT(++kills, 50);
  EXPECT_GT(kills, 2);
  EXPECT_EQ(content_of("killed"), content_of("whole"));
}

TEST_F(TrainingTest, WritesACheckpointAfterEachEpochAndKeepsTheLast) {
  run("run");
  const std::vector<std::int64_t> updates = updates_in("run");
  ASSERT_EQ(updates.size(), 3u);
  EXPECT_EQ(updates.back(), 40);
  EXPECT_FALSE(read_training_record(folder / "run/last").state.temporary);
  EXPECT_EQ(read_training_record(folder / "run/last").data->at("corpus"), "x");
}

TEST_F(TrainingTest, AccumulatedBatchesAreOneLargeBatch) {
  // Without noise all gradients of the first update are multiples of a half, and their sums exact.
  noise = 0;
  window_pairs = corpus.size();
  settings.training.max_updates = 1;
  settings.training.report_interval = 1;
  settings.batches = {.batch_tokens = 1'000'000, .accumulation = 1, .gradient_shards = 1};
  run("large");
  const std::int64_t tokens = state.tokens;
  EXPECT_EQ(tokens, corpus.target_tokens());
  for (const int shards : {1, 3}) {
    settings.batches = {.batch_tokens = 60, .accumulation = 1000, .gradient_shards = shards};
    const std::string name = "small" + std::to_string(shards);
    run(name);
    EXPECT_EQ(state.tokens, tokens);
    const auto arrays = [&](const std::string& of) {
      return read_file(folder / (of + "/last/optimizer.safetensors"));
    };
    EXPECT_EQ(arrays(name), arrays("large")) << "moments: the mean gradient and its square";
    EXPECT_EQ(weights_of(name), weights_of("large"));
  }
}

TEST_F(TrainingTest, KeepsTheBestAndTheLast) {
  settings.training.valid_interval = 4;
  int count = 0;
  validate = [&count] { return ValidationFigures{++count == 2 ? 1.0 : 2.0 + count, -1}; };
  run("run");
  EXPECT_EQ(updates_in("run"), (std::vector<std::int64_t>{8, 32, 36, 40}));
  EXPECT_EQ(best_of("run"), "checkpoint-000008");
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000040");
}

TEST_F(TrainingTest, StopsEarlyOnTheChosenFigure) {
  settings.training.valid_interval = 4;
  settings.training.early_stopping = 2;
  settings.training.stop_on = StopOn::bleu;
  int count = 0;
  validate = [&count] {
    ++count;
    return ValidationFigures{10.0 - count, count <= 3 ? 10.0 * count : 29.0};
  };
  EXPECT_EQ(run("run"), TrainingEnd::early_stopping);
  EXPECT_EQ(state.update, 20);
  EXPECT_EQ(best_of("run"), "checkpoint-000012");
  EXPECT_EQ(run("run"), TrainingEnd::early_stopping) << "a finished training stays finished";
  EXPECT_EQ(count, 5);
}

TEST_F(TrainingTest, TheCrossEntropyDecidesBetweenEqualFigures) {
  settings.training.valid_interval = 4;
  settings.training.early_stopping = 2;
  settings.training.stop_on = StopOn::bleu;
  int count = 0;
  validate = [&count] {
    ++count;
    return ValidationFigures{std::abs(4.0 - count), 0};
  };
  EXPECT_EQ(run("run"), TrainingEnd::early_stopping);
  EXPECT_EQ(best_of("run"), "checkpoint-000016");
}

TEST_F(TrainingTest, AFullDiskKeepsThePreviousCheckpoint) {
  run("whole");
  run("run", 1, 10);
  disk_full = true;
  EXPECT_THROW(run("run"), Error);
  EXPECT_EQ(updates_in("run").back(), 10);
  disk_full = false;
  run("run");
  EXPECT_EQ(weights_of("run"), weights_of("whole"));
}

TEST_F(TrainingTest, RefusesADamagedCheckpoint) {
  run("run", 1, 10);
  const std::string path = folder / "run/last/training.json";
  const std::string whole = read_file(path);
  write_file(path, "{\"format\": 1}");
  EXPECT_THROW(run("run"), InputError);
  write_file(path, "{");
  EXPECT_THROW(run("run"), InputError);
  write_file(path, whole);
  EXPECT_NO_THROW(run("run"));
}

TEST_F(TrainingTest, RefusesAPositionAfterTheEndOfTheText) {
  run("run", 1, 10);
  const std::string path = folder / "run/last/training.json";
  nlohmann::json record = parse_json(read_file(path), path);
  for (const std::int64_t window : {std::int64_t{3}, std::int64_t{1'000'000'000'000}}) {
    record["state"]["window"] = window;
    write_file(path, record.dump());
    try {
      run("run");
      ADD_FAILURE() << "window " << window;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("training.json: 'window' is "), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(TrainingTest, KeepsADamagedOlderCheckpoint) {
  run("whole");
  run("run", 1, 10);
  const std::vector<Checkpoint> checkpoints = list_checkpoints(folder / "run");
  ASSERT_GT(checkpoints.size(), 1u);
  const std::string damaged = checkpoints.front().path + "/training.json";
  write_file(damaged, "{");
  run("run");
  EXPECT_EQ(weights_of("run"), weights_of("whole"));
  EXPECT_NE(heard.warnings.find(damaged), std::string::npos) << heard.warnings;
}

TEST_F(TrainingTest, RefusesDamagedArraysOfACheckpoint) {
  run("run", 1, 10);
  const std::string path = folder / "run/last/optimizer.safetensors";
  const std::string whole = read_file(path);
  const auto refuses = [&](const std::string& bytes, const std::string& message) {
    write_file(path, bytes);
    try {
      run("run");
      ADD_FAILURE() << "expected: " << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bytes = whole;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  refuses(with("table.low.first_moment", "table.mid.first_moment"), "table.low.first_moment");
  refuses(with("table.low.first_moment", "table.low.ninth_moment"), "table.low.first_moment");
  std::string negative = whole;  // the last number of the last array
  negative[negative.size() - 1] = static_cast<char>(0xbf);
  negative[negative.size() - 2] = static_cast<char>(0x80);
  refuses(negative, "has the number -1");
  refuses(whole.substr(0, whole.size() - 4), "truncated");
  write_file(path, whole);
  EXPECT_NO_THROW(run("run"));
}

}  // namespace
}  // namespace gloss
