#include "pipeline/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "tests/support/corpus_windows.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWeights = 64;

/// Pulls the weight of every target token, with some noise, towards its source's length.
class FakeLearner : public Learner {
 public:
  FakeLearner(const std::vector<float>& weights, const std::int64_t& broken_until)
      : weights_(weights), gradients_(weights.size()), broken_until_(broken_until) {}
  LossFigures learn(const Batch& batch, Random& random) override {
    LossFigures figures;
    for (int row = 0; row < batch.target.rows(); ++row) {
      for (const TokenId token : batch.target.row(row)) {
        const auto i = static_cast<std::size_t>(token);
        const double off = weights_[i] - batch.source.length(row) + 0.1 * random.normal();
        gradients_[i] += static_cast<float>(off);
        figures.loss += off * off / 2;
        ++figures.tokens;
      }
    }
    figures.weight = static_cast<double>(figures.tokens);
    if (calls_++ < broken_until_) gradients_[0] = std::nanf("");
    figures.cross_entropy = figures.loss;
    return figures;
  }
  std::span<float> gradients() override { return gradients_; }

 private:
  const std::vector<float>& weights_;
  std::vector<float> gradients_;
  const std::int64_t& broken_until_;
  std::int64_t calls_ = 0;
};

Corpus fake_corpus() {
  Random random(5);
  Corpus corpus;
  for (int i = 0; i < 90; ++i) {
    std::vector<TokenId> source(1 + random.below(9), 1), target(1 + random.below(9));
    for (TokenId& token : target) token = static_cast<TokenId>(random.below(kWeights));
    corpus.add(source, target);
  }
  return corpus;
}

/// A training of a table of weights in a folder, as a process would run it.
struct TrainingTest : testing::Test {
  TrainingTest() {
    settings.training.max_updates = 40;
    settings.training.report_interval = 7;
    settings.training.keep_checkpoints = 3;
    settings.training.save_minutes = 1000;
    settings.batches = {.batch_tokens = 60, .accumulation = 2, .gradient_shards = 3};
    settings.schedule.warmup_updates = 5;
    settings.schedule.learning_rate = 0.3;
  }

  /// Starts or continues, and stops when asked after `stop_after` updates.
  TrainingEnd run(const std::string& name, int threads = 1, std::int64_t stop_after = 0) {
    TrainingDirectory directory(folder / name);
    WorkerThreads workers(threads);
    std::vector<float> weights(kWeights, 0.0f);
    const std::vector<Checkpoint> checkpoints = directory.checkpoints();
    if (!checkpoints.empty()) {
      const std::string bytes = read_file(checkpoints.back().path + "/weights");
      std::memcpy(weights.data(), bytes.data(), bytes.size());
    }
    std::vector<std::unique_ptr<Learner>> learners;
    for (int i = 0; i < settings.batches.gradient_shards; ++i) {
      learners.push_back(std::make_unique<FakeLearner>(weights, broken_until));
    }
    const auto write = [&](const std::string& path) {
      if (disk_full) throw Error("cannot write: No space left on device");
      AtomicFile file(path + "/weights");
      file.write(std::as_bytes(std::span(weights)));
      file.commit();
    };
    std::int64_t updates = 0;
    const auto stop = [&] {
      if (stop_after < 0 && updates++ == -stop_after) throw std::runtime_error("killed");
      return stop_after > 0 && updates++ >= stop_after;
    };
    CorpusWindows windows(corpus, window_pairs);
    BatchStream batches(windows, settings.batches, settings.training.seed);
    Training training(settings, {batches,
                                 weights,
                                 std::move(learners),
                                 validate,
                                 write,
                                 {{"corpus", "x"}},
                                 stop,
                                 directory,
                                 heard,
                                 workers});
    if (!checkpoints.empty()) training.restore(checkpoints.back().path);
    const TrainingEnd end = training.run();
    state = training.state();
    return end;
  }
  std::string weights_of(const std::string& name) { return read_file(folder / (name + "/last/weights")); }
  std::vector<std::int64_t> updates_in(const std::string& name) {
    std::vector<std::int64_t> updates;
    for (const Checkpoint& checkpoint : list_checkpoints(folder / name)) updates.push_back(checkpoint.update);
    return updates;
  }
  std::string best_of(const std::string& name) {
    return fs::read_symlink(folder / (name + "/best")).string();
  }

  TemporaryDirectory folder;
  HeardListener heard;
  Corpus corpus = fake_corpus();
  std::size_t window_pairs = 40;
  LoopSettings settings;
  std::function<ValidationFigures()> validate;
  TrainingState state;
  std::int64_t broken_until = 0;
  bool disk_full = false;
};

TEST_F(TrainingTest, Learns) {
  EXPECT_EQ(run("run"), TrainingEnd::max_updates);
  EXPECT_EQ(state.update, 40);
  const std::vector<std::string> log = read_lines(folder / "run/train.log.jsonl");
  ASSERT_EQ(log.size(), 5u);
  const nlohmann::json first = parse_json(log.front(), "log"), last = parse_json(log.back(), "log");
  EXPECT_EQ(first["event"], "report");
  EXPECT_EQ(first["update"], 7);
  EXPECT_LT(last["loss"], first["loss"].get<double>() / 2);
  for (const char* name : {"epoch", "perplexity", "cross_entropy", "learning_rate", "gradient_norm", "tokens",
                           "tokens_per_second", "waiting_seconds", "seconds"}) {
    EXPECT_TRUE(last.contains(name)) << name;
  }
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

/// All files of a training directory but the log, with their bytes.
std::vector<std::pair<std::string, std::string>> content_of(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_regular_file() && name != "train.log.jsonl")
      content.emplace_back(name, read_file(entry.path()));
  }
  std::sort(content.begin(), content.end());
  return content;
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
    EXPECT_EQ(content_of(folder / name), content_of(folder / "whole"));
    EXPECT_EQ(read_lines(folder / (name + "/train.log.jsonl")).size(), 5u);
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
  EXPECT_EQ(content_of(folder / "killed"), content_of(folder / "whole"));
}

TEST_F(TrainingTest, WritesACheckpointAfterEachEpochAndKeepsTheLast) {
  run("run");
  const std::vector<std::int64_t> updates = updates_in("run");
  ASSERT_EQ(updates.size(), 3u);
  EXPECT_EQ(updates.back(), 40);
  EXPECT_FALSE(read_training_record(folder / "run/last").state.temporary);
  EXPECT_EQ(read_training_record(folder / "run/last").data["corpus"], "x");
}

TEST_F(TrainingTest, KeepsTheBestBesideTheLast) {
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

TEST_F(TrainingTest, EndsAfterEpochs) {
  settings.training.max_epochs = 2;
  EXPECT_EQ(run("run"), TrainingEnd::max_epochs);
  EXPECT_EQ(state.position.epoch, 2);
  EXPECT_EQ(state.tokens, 2 * corpus.target_tokens());
}

TEST_F(TrainingTest, SkipsUpdatesWithoutAFiniteGradient) {
  settings.batches.accumulation = 1;
  window_pairs = corpus.size();  // no batch is so small that a learner gets none of it
  broken_until = 4;
  run("run");
  EXPECT_EQ(state.skipped, 4);
  EXPECT_EQ(state.skipped_in_a_row, 0);
  EXPECT_EQ(state.optimizer_steps, 36);
  EXPECT_NE(heard.warnings.find("update 4 is skipped"), std::string::npos);
}

TEST_F(TrainingTest, GivesUpAfterTenSkippedUpdates) {
  settings.batches.accumulation = 1;
  broken_until = 1000;
  EXPECT_THROW(run("run"), Error);
  EXPECT_NE(heard.warnings.find("update 10 is skipped"), std::string::npos);
  EXPECT_EQ(heard.warnings.find("update 11 is skipped"), std::string::npos);
}

TEST_F(TrainingTest, AFullDiskLeavesTheCheckpointBefore) {
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
  write_file(path, "{\"format\": 1}");
  EXPECT_THROW(run("run"), InputError);
  write_file(path, "{");
  EXPECT_THROW(run("run"), InputError);
}

TEST_F(TrainingTest, MustEnd) {
  settings.training.max_updates = 0;
  EXPECT_THROW(run("run"), UsageError);
}

}  // namespace
}  // namespace gloss
