// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "pipeline/training/training_loop.h"
#include "tests/support/corpus_windows.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Failures during a batch.
using Disturbance = std::function<void(std::span<float> gradients, LossFigures&)>;

/// Pulls the weight of every target token, with some noise, towards its source's length.
class FakeLearner : public Learner {
 public:
  FakeLearner(const std::vector<float>& weights, double noise, const Disturbance& disturb)
      : weights_(weights), gradients_(weights.size()), noise_(noise), disturb_(disturb) {}
  LossFigures learn(const Batch& batch, Random& random, const GradientFinished&) override {
    LossFigures figures;
    for (int row = 0; row < batch.target.rows(); ++row) {
      for (const TokenId token : batch.target.row(row)) {
        const auto i = index(token);
        const double off = weights_[i] - batch.source.length(row) + noise_ * random.normal();
        gradients_[i] += static_cast<float>(off);
        figures.loss += off * off / 2;
        ++figures.tokens;
      }
    }
    figures.weight = static_cast<double>(figures.tokens);
    figures.cross_entropy = figures.loss;
    disturb_(gradients_, figures);
    return figures;
  }
  std::span<float> gradients() override { return gradients_; }

 private:
  const std::vector<float>& weights_;
  std::vector<float> gradients_;
  double noise_;
  const Disturbance& disturb_;
};

/// A training of a table of weights, the parameters table.low and table.high, in a directory.
struct TrainingTest : testing::Test {
  static constexpr std::size_t kWeights = 64;

  TrainingTest() {
    settings.training.max_updates = 40;
    settings.training.report_interval = 7;
    settings.training.keep_checkpoints = 3;
    settings.training.save_minutes = 1000;
    settings.batches = {.batch_tokens = 60, .accumulation = 2, .gradient_shards = 3};
    settings.schedule.warmup_updates = 5;
    settings.schedule.learning_rate = 0.3;
    Random random(5);
    for (int i = 0; i < 90; ++i) {
      std::vector<TokenId> source(1 + random.below(9), 1), target(1 + random.below(9));
      for (TokenId& token : target) token = static_cast<TokenId>(random.below(kWeights));
      corpus.add(source, target);
    }
  }

  /// Starts or continues a training and stops it after `stop_after` updates; a negative number: kills it.
  TrainingEnd run(const std::string& name, int threads = 1, std::int64_t stop_after = 0) {
    TrainingDirectory directory(folder / name);
    WorkerThreads workers(threads);
    weights.assign(kWeights, 0.5f);
    const std::vector<Checkpoint> checkpoints = directory.checkpoints();
    if (!checkpoints.empty()) {
      const std::string bytes = read_file(checkpoints.back().path + "/weights");
      std::memcpy(weights.data(), bytes.data(), bytes.size());
    }
    learning = checkpoints.empty() ? 0 : checkpoints.back().update;
    const Disturbance disturbance = [this](std::span<float> gradients, LossFigures& figures) {
      if (disturb) disturb(gradients, figures);
    };
    std::vector<std::unique_ptr<Learner>> learners;
    for (int i = 0; i < settings.batches.gradient_shards; ++i) {
      learners.push_back(std::make_unique<FakeLearner>(weights, noise, disturbance));
    }
    const auto write = [&](const std::string& path) {
      if (disk_full) throw Error("cannot write: No space left on device");
      AtomicFile file(path + "/weights");
      file.write(std::as_bytes(std::span(weights)));
      file.commit();
    };
    std::int64_t updates = 0;
    const auto stop = [&] {
      if (stop_after < 0 && updates == -stop_after) throw std::runtime_error("killed");
      if (stop_after > 0 && updates == stop_after) return true;
      if (before_update) before_update();
      ++updates;
      ++learning;
      return false;
    };
    CorpusWindows windows(corpus, window_pairs);
    BatchStream batches(windows, settings.batches, settings.training.seed);
    TrainingLoop training(settings,
                          {.batches = batches,
                           .weights = weights,
                           .ranges = {{"table.low", Shape{kWeights / 2}, 0, kWeights / 2},
                                      {"table.high", Shape{kWeights / 2}, kWeights / 2, kWeights}},
                           .learners = std::move(learners),
                           .validate = validate,
                           .write_model = write,
                           .data = std::make_shared<nlohmann::json>(nlohmann::json{{"corpus", "x"}}),
                           .stop_requested = stop,
                           .directory = &directory,
                           .listener = heard,
                           .workers = workers,
                           .ranks = alone});
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
  /// Names and bytes of all files of a training directory, except those that depend on the clock.
  std::vector<std::pair<std::string, std::string>> content_of(const std::string& name) {
    std::vector<std::pair<std::string, std::string>> content;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / name)) {
      const std::string file = entry.path().filename().string();
      if (entry.is_regular_file() && file != "train.log.jsonl" && file != "time.json") {
        content.emplace_back(std::filesystem::relative(entry.path(), folder / name).string(),
                             read_file(entry.path()));
      }
    }
    std::sort(content.begin(), content.end());
    return content;
  }
  std::string best_of(const std::string& name) {
    return std::filesystem::read_symlink(folder / (name + "/best")).string();
  }

  TemporaryDirectory folder;
  HeardListener heard;
  SingleRank alone;
  Corpus corpus;
  std::size_t window_pairs = 40;
  LoopSettings settings;
  std::function<ValidationFigures()> validate;
  double noise = 0.1;
  Disturbance disturb;                  ///< during each batch, from any of the threads
  std::function<void()> before_update;  ///< with `weights` as they are learned from
  std::vector<float> weights;
  std::int64_t learning = 0;  ///< the update that is computed at present
  TrainingState state;
  bool disk_full = false;
};

}  // namespace gloss
