// SPDX-License-Identifier: Apache-2.0
// Trainings with other limits, a moving average, frozen parameters or diverging updates.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "model/formats/safetensors.h"
#include "tests/pipeline/training/fake_training.h"

namespace gloss {
namespace {

/// The numbers of a member of the log's reports.
std::vector<double> reported(const std::string& log, const std::string& member) {
  std::vector<double> numbers;
  for (const std::string& line : read_lines(log)) {
    const nlohmann::json entry = parse_json(line, log);
    if (entry["event"] == "report") numbers.push_back(entry[member]);
  }
  return numbers;
}

TEST_F(TrainingTest, MustEnd) {
  settings.training.max_updates = 0;
  EXPECT_THROW(run("run"), UsageError);
  settings.schedule.decay = Decay::linear;
  EXPECT_THROW(run("run"), UsageError);
}

TEST_F(TrainingTest, EndsAfterEpochs) {
  settings.training.max_epochs = 2;
  EXPECT_EQ(run("run"), TrainingEnd::max_epochs);
  EXPECT_EQ(state.position.epoch, 2);
  EXPECT_EQ(state.tokens, 2 * corpus.target_tokens());
}

TEST_F(TrainingTest, EndsAfterTokens) {
  settings.training.max_tokens = 500;
  EXPECT_EQ(run("run"), TrainingEnd::max_tokens);
  EXPECT_GE(state.tokens, 500);
  EXPECT_LT(state.tokens, 500 + 2 * 60);
  EXPECT_EQ(updates_in("run").back(), state.update);
}

TEST_F(TrainingTest, EndsAfterTheTimeOfAllRuns) {
  settings.training.max_minutes = 1e-9;  // passes before the first checkpoint is written
  EXPECT_EQ(run("run"), TrainingEnd::max_minutes);
  EXPECT_EQ(state.update, 0);
  EXPECT_GT(read_training_record(folder / "run/last").state.seconds, 0);
  settings.training.max_minutes = 60;
  run("run", 1, 3);
  EXPECT_EQ(state.update, 3) << "more time, more updates";
  write_file(folder / "run/last/time.json", "{\"seconds\": 3601}");
  EXPECT_EQ(run("run"), TrainingEnd::max_minutes);
  EXPECT_EQ(state.update, 3);
  EXPECT_FALSE(read_training_record(folder / "run/last").state.temporary);
  for (const std::string damaged : {"{\"seconds\": -1}", "{}", "3"}) {
    write_file(folder / "run/last/time.json", damaged);
    EXPECT_THROW(run("run"), InputError);
  }
}

TEST_F(TrainingTest, TheTimeLeftIsTheTimeToTheFirstLimit) {
  settings.training.max_minutes = 1;
  run("minutes", 1, 1);
  EXPECT_GT(heard.latest.seconds_left, 0);
  EXPECT_LT(heard.latest.seconds_left, 60);
  settings.training.max_minutes = 1e6;
  run("updates");
  EXPECT_EQ(heard.latest.seconds_left, 0) << "all updates are done, before the time limit";
}

TEST_F(TrainingTest, ReportsTheCostOncePerRun) {
  const auto times = [&] {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = heard.notes.find("per update", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  run("run", 1, 20);
  EXPECT_EQ(times(), 1u) << heard.notes;
  EXPECT_NE(heard.notes.find("--max-updates 40"), std::string::npos) << heard.notes;
  run("run");
  EXPECT_EQ(times(), 2u) << "also when it continues";
}

TEST_F(TrainingTest, TheLearningRateFallsToAnyCountedEnd) {
  settings.schedule.decay = Decay::linear;
  settings.training.report_interval = 1;
  run("updates");
  const std::vector<double> rates = reported(folder / "updates/train.log.jsonl", "learning_rate");
  EXPECT_NEAR(rates[4], 0.3, 1e-12) << "the end of the warm-up";
  EXPECT_NEAR(rates[5], 0.3 * 35 / 36, 1e-12);
  EXPECT_NEAR(rates[39], 0.3 / 36, 1e-12);
  settings.training.max_updates = 1000;
  for (const bool in_tokens : {false, true}) {
    settings.training.max_epochs = in_tokens ? 0 : 3;
    settings.training.max_tokens = in_tokens ? 3 * corpus.target_tokens() : 0;
    const std::string name = in_tokens ? "tokens" : "epochs";
    run(name);
    const std::vector<double> fallen = reported(folder / (name + "/train.log.jsonl"), "learning_rate");
    EXPECT_TRUE(std::is_sorted(fallen.rbegin(), fallen.rend() - 4));
    EXPECT_NEAR(fallen[4], 0.3, 1e-12);
    EXPECT_LT(fallen.back(), 0.06);
    EXPECT_GT(fallen.back(), 0);
    while (run(name + " stopped", 1, 9) == TrainingEnd::stopped) ASSERT_LT(state.update, 100);
    EXPECT_EQ(weights_of(name + " stopped"), weights_of(name));
  }
}

TEST_F(TrainingTest, KeepsAMovingAverage) {
  std::vector<std::vector<float>> seen;
  before_update = [&] { seen.push_back(weights); };
  run("raw");
  const std::vector<float> last = weights;
  before_update = nullptr;
  std::vector<double> average(kWeights, 0.5);
  for (std::size_t t = 1; t <= seen.size(); ++t) {
    const std::vector<float>& now = t < seen.size() ? seen[t] : last;
    const double decay = std::min(0.7, (1.0 + static_cast<double>(t)) / (10.0 + static_cast<double>(t)));
    for (std::size_t i = 0; i < kWeights; ++i) average[i] = decay * average[i] + (1 - decay) * now[i];
  }

  settings.moving_average.ema_decay = 0.7;
  std::vector<float> validated;
  validate = [&] {
    validated = weights;
    return ValidationFigures{1, -1};
  };
  run("average");
  EXPECT_EQ(weights, last) << "the average does not change training";
  for (std::size_t i = 0; i < kWeights; ++i) ASSERT_NEAR(validated[i], average[i], 1e-4);
  const std::string written = weights_of("average");
  EXPECT_EQ(std::memcmp(written.data(), validated.data(), written.size()), 0) << "the average is the model";
  const SafetensorsFile file(folder / "average/last/optimizer.safetensors");
  const NamedArray& high = file.array("table.high", DType::f32, Shape{kWeights / 2});
  EXPECT_EQ(std::memcmp(high.data, &last[kWeights / 2], kWeights / 2 * sizeof(float)), 0);
}

TEST_F(TrainingTest, AnAverageStoppedAndContinuedIsTheSame) {
  settings.moving_average.ema_decay = 0.95;
  run("whole", 2);
  while (run("stopped", 1, 7) == TrainingEnd::stopped) ASSERT_LE(state.update, 40);
  EXPECT_EQ(content_of("stopped"), content_of("whole"));
}

TEST_F(TrainingTest, KeepsFrozenParameters) {
  settings.optimizer.freeze = {"table.low"};
  settings.optimizer.weight_decay = 0.1;
  settings.moving_average.ema_decay = 0.9;
  run("whole");
  const std::vector<float> learned = weights;
  for (std::size_t i = 0; i < kWeights; ++i) ASSERT_EQ(weights[i] == 0.5f, i < kWeights / 2) << i;
  const std::string written = weights_of("whole");
  EXPECT_EQ(std::memcmp(written.data(), weights.data(), kWeights / 2 * sizeof(float)), 0);
  const SafetensorsFile file(folder / "whole/last/optimizer.safetensors");
  EXPECT_FALSE(file.arrays().contains("table.low.first_moment"));
  EXPECT_TRUE(file.arrays().contains("table.high.first_moment"));
  while (run("stopped", 1, 9) == TrainingEnd::stopped) ASSERT_LE(state.update, 40);
  EXPECT_EQ(content_of("stopped"), content_of("whole"));
  settings.optimizer.freeze = {"tables"};
  EXPECT_THROW(run("other"), UsageError);
}

TEST_F(TrainingTest, SkipsUpdatesWithoutAFiniteGradient) {
  disturb = [&](std::span<float> gradients, LossFigures&) {
    if (learning <= 4) gradients[0] = std::nanf("");
  };
  run("run");
  EXPECT_EQ(state.skipped, 4);
  EXPECT_EQ(state.skipped_in_a_row, 0);
  EXPECT_EQ(state.optimizer_steps, 36);
  EXPECT_NE(heard.warnings.find("update 4 was skipped: its gradient is not a finite number"),
            std::string::npos);
  const nlohmann::json entry = parse_json(read_lines(folder / "run/train.log.jsonl").front(), "log");
  EXPECT_EQ(entry["event"], "skipped");
  EXPECT_EQ(entry["reason"], "its gradient is not a finite number");
  EXPECT_TRUE(entry["gradient_norm"].is_null());
  EXPECT_TRUE(entry["loss"].is_number());
}

TEST_F(TrainingTest, ReportsNoLossIfAllUpdatesWereSkipped) {
  settings.training.report_interval = 1;
  disturb = [&](std::span<float> gradients, LossFigures&) {
    if (learning == 1) gradients[0] = std::nanf("");
  };
  run("run");
  const std::vector<std::string> log = read_lines(folder / "run/train.log.jsonl");
  ASSERT_GE(log.size(), 3u);
  const nlohmann::json skipped = parse_json(log[1], "log"), learned = parse_json(log[2], "log");
  EXPECT_EQ(skipped["event"], "report");
  for (const char* figure : {"loss", "cross_entropy", "perplexity"}) {
    EXPECT_TRUE(skipped[figure].is_null()) << figure;
    EXPECT_TRUE(learned[figure].is_number()) << figure;
  }
}

TEST_F(TrainingTest, FailsAfterTenSkippedUpdates) {
  disturb = [](std::span<float>, LossFigures& figures) {
    figures.loss = std::numeric_limits<double>::infinity();
  };
  EXPECT_THROW(run("run"), Error);
  EXPECT_NE(heard.warnings.find("update 10 was skipped: its loss is not a finite number"), std::string::npos);
  EXPECT_EQ(heard.warnings.find("update 11 was skipped"), std::string::npos);
}

/// The gradient of update 23 is much too large.
struct SpikingTrainingTest : TrainingTest {
  SpikingTrainingTest() {
    settings.divergence.spike_horizon = 10;
    settings.moving_average.ema_decay = 0.9;
    disturb = [this](std::span<float> gradients, LossFigures&) {
      if (learning == 23) gradients[5] = 1e5f;
    };
  }
};

TEST_F(SpikingTrainingTest, SkipsTheSpike) {
  run("whole");
  EXPECT_EQ(state.skipped, 1);
  EXPECT_EQ(state.optimizer_steps, 39);
  EXPECT_NE(heard.warnings.find("update 23 was skipped: its gradient norm of "), std::string::npos)
      << heard.warnings;
  std::vector<std::vector<float>> seen;
  before_update = [&] { seen.push_back(weights); };
  while (run("stopped", 1, 5) == TrainingEnd::stopped) ASSERT_LE(state.update, 40);
  EXPECT_EQ(seen[22], seen[23]);
  EXPECT_EQ(content_of("stopped"), content_of("whole"));
  settings.divergence.spike_deviations = 0;
  run("off");
  EXPECT_EQ(state.skipped, 0);
}

TEST_F(SpikingTrainingTest, StopsAtTheSpikeOnRequest) {
  run("whole");
  settings.divergence.on_divergence = OnDivergence::stop;
  for (const int attempt : {1, 2}) {
    try {
      run("run");
      ADD_FAILURE() << "attempt " << attempt;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), 1);
      EXPECT_NE(std::string(error.what()).find("diverged at update 23: its gradient norm of"),
                std::string::npos)
          << error.what();
    }
    EXPECT_EQ(updates_in("run").back(), 22);
  }
  settings.divergence.on_divergence = OnDivergence::skip;
  run("run");
  EXPECT_EQ(state.update, 40);
  EXPECT_EQ(content_of("run"), content_of("whole"));
}

TEST_F(TrainingTest, ContinuesWithAGarbledLog) {
  run("whole");
  run("run", 1, 20);
  const std::string log = folder / "run/train.log.jsonl";
  const std::vector<std::string> lines = read_lines(log);
  ASSERT_EQ(lines.size(), 2u);
  write_file(log, lines[0] + "\n" + lines[1].substr(0, 20));
  run("run");
  EXPECT_NE(heard.warnings.find("train.log.jsonl has no reports in line 2; "), std::string::npos)
      << heard.warnings;
  EXPECT_EQ(weights_of("run"), weights_of("whole"));
  EXPECT_EQ(reported(log, "update"), (std::vector<double>{7, 21, 28, 35, 40}));
}

}  // namespace
}  // namespace gloss
