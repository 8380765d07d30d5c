// SPDX-License-Identifier: Apache-2.0
// Losses recorded from a fixed seed, to detect unintended changes of the computation.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

/// Relative. AVX2 and AVX-512 differ by less than 1e-7 in these updates; a learning rate that is 0.01 %
/// higher makes a difference of more than 1e-5.
constexpr double kTolerance = 1e-6;

/// Everything that the losses depend on, so that new defaults do not change them. Characters, since pieces
/// may differ between versions of SentencePiece.
constexpr const char* kSettings =
    "vocab-type = char\n"
    "normalization = nfc\n"
    "encoder-layers = 2\n"
    "decoder-layers = 2\n"
    "width = 16\n"
    "max-positions = 256\n"
    "max-length = 100\n"
    "tied-embeddings = all\n"
    "dropout = 0.1\n"
    "embedding-dropout = 0.1\n"
    "label-smoothing = 0.1\n"
    "batch-tokens = 400\n"
    "accumulation = 2\n"
    "gradient-shards = 2\n"
    "learning-rate = 0.01\n"
    "warmup-updates = 4\n"
    "schedule = inverse_sqrt\n"
    "optimizer = adam\n"
    "hold-out = false\n"
    "clip-norm = 1\n"
    "beta1 = 0.9\n"
    "beta2 = 0.98\n"
    "epsilon = 1e-9\n"
    "weight-decay = 0.01\n"
    "precision = f32\n"
    "seed = 1\n"
    "threads = 1\n"
    "max-updates = 12\n"
    "report-interval = 1\n";

struct RecordedLosses : TrainCommand {
  void expect_losses(const std::string& network, const std::vector<double>& recorded) {
    folder.write("settings.ini", kSettings + network);
    const ProgramResult result =
        gloss({"train", "--config", folder / "settings.ini", "--source", folder / "train.en", "--target",
               folder / "train.de", "--output", folder / "run"});
    ASSERT_EQ(result.status, 0) << result.errors;
    std::vector<double> losses;
    for (const std::string& line : read_lines(folder / "run/train.log.jsonl")) {
      losses.push_back(nlohmann::json::parse(line)["loss"]);
    }
    ASSERT_EQ(losses.size(), recorded.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i] / recorded[i], 1, kTolerance)
          << "update " << i + 1 << ": " << nlohmann::json(losses);
    }
  }
};

TEST_F(RecordedLosses, OfATransformer) {
  expect_losses(
      "architecture = transformer\n"
      "heads = 2\n"
      "feed-forward-width = 32\n"
      "norm = post\n"
      "norm-type = layer\n"
      "encoder-mixers = attention\n"
      "activation = relu\n"
      "positions = sinusoidal\n"
      "attention-dropout = 0.1\n"
      "activation-dropout = 0.1\n",
      {3.80126321, 3.67543555, 3.48774129, 3.22909905, 3.10636754, 3.02863392, 3.02429072, 2.98939242,
       2.91381432, 2.89631322, 2.8428026, 2.8452659});
}

TEST_F(RecordedLosses, OfARecurrentNetwork) {
  expect_losses(
      "architecture = recurrent\n"
      "cell = lstm\n"
      "embedding-width = 24\n"
      "bidirectional = true\n"
      "attention = additive\n"
      "query = before\n"
      "output-dropout = 0.1\n",
      {3.35672356, 3.33272916, 3.12087473, 3.03408436, 2.85197052, 2.74511467, 2.76306156, 2.6233103,
       2.53627242, 2.55115061, 2.4400908, 2.40496993});
}

}  // namespace
}  // namespace gloss
