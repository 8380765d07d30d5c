// SPDX-License-Identifier: Apache-2.0
// gloss train through the real binary: moving averages, freezing, ends, divergence, damaged logs.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/index.h"
#include "base/lines.h"
#include "model/formats/safetensors.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

bool same(const NamedArray& a, const NamedArray& b) {
  return std::memcmp(a.data, b.data, index(a.shape.count()) * sizeof(float)) == 0;
}

TEST_F(TrainCommand, WritesAndValidatesAMovingAverage) {
  const auto options = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--valid-interval", "10"});
    return with_validation(more);
  };
  ASSERT_EQ(train("raw", options({})).status, 0);
  ASSERT_EQ(train("average", options({"--ema-decay", "0.8"})).status, 0);
  const SafetensorsFile raw(folder / "raw/last/model.safetensors");
  const SafetensorsFile average(folder / "average/last/model.safetensors");
  const SafetensorsFile optimizer(folder / "average/last/optimizer.safetensors");
  for (const auto& [name, array] : raw.arrays()) {
    EXPECT_TRUE(same(array, optimizer.array(name, DType::f32, array.shape))) << name;
    EXPECT_FALSE(same(array, average.array(name, DType::f32, array.shape))) << name;
  }
  const auto figure = [&](const std::string& run) {
    return nlohmann::json::parse(folder.read(run + "/last/training.json"))["state"]["latest_cross_entropy"];
  };
  EXPECT_NE(figure("raw"), figure("average"));
  EXPECT_EQ(gloss({"translate", "-m", folder / "average"}, "one\n").status, 0);
  EXPECT_EQ(gloss({"info", "-m", folder / "average"}).status, 0);
  expect_failure(train("average", options({"--ema-decay", "0.9"})), 2, "--ema-decay 0.8, now it is 0.9");
  expect_failure(train("other", options({"--ema-decay", "1"})), 2, "--ema-decay");
}

TEST_F(TrainCommand, FreezesParameters) {
  const std::vector<std::string> options{"--freeze", "encoder",        "embedding", "--ema-decay",
                                         "0.9",      "--weight-decay", "0.1",       "--valid-interval",
                                         "10"};
  ASSERT_EQ(train("run", options).status, 0);
  const SafetensorsFile before(folder / "run/checkpoint-000010/model.safetensors");
  const SafetensorsFile after(folder / "run/checkpoint-000030/model.safetensors");
  for (const auto& [name, array] : before.arrays()) {
    EXPECT_EQ(same(array, after.array(name, DType::f32, array.shape)), !name.starts_with("decoder")) << name;
  }
  EXPECT_EQ(gloss({"info", "-m", folder / "run"}).status, 0);
  expect_failure(train("run", {"--ema-decay", "0.9", "--weight-decay", "0.1", "--freeze", "encoder"}), 2,
                 "--freeze [\"encoder\",\"embedding\"], now it is [\"encoder\"]");
  expect_failure(train("run", {"--fresh", "--freeze", "encoder", "decodr"}), 2, "did you mean 'decoder'?");
  EXPECT_TRUE(fs::exists(folder / "run/last")) << "a mistake must not cost the old training";
  expect_failure(train("other", {"--freeze", "encoder", "decoder", "embedding"}), 2,
                 "freezes all parameters");
}

TEST_F(TrainCommand, EndsAfterTokensOrTime) {
  const ProgramResult tokens =
      train("run", {"--max-tokens", "20000", "--max-updates", "0", "--schedule", "linear"});
  EXPECT_EQ(tokens.status, 0);
  EXPECT_NE(tokens.errors.find("--max-tokens is reached"), std::string::npos) << tokens.errors;
  expect_failure(train("run", {"--max-tokens", "20900", "--max-updates", "0", "--schedule", "linear"}), 2,
                 "--max-tokens 20000");

  std::vector<std::string> minutes{"--max-updates", "0", "--max-minutes", "0.000001"};
  const ProgramResult time = train("time", minutes);
  EXPECT_EQ(time.status, 0);
  EXPECT_NE(time.errors.find(": --max-minutes is reached"), std::string::npos) << time.errors;
  EXPECT_NE(train("time", minutes).errors.find("already finished"), std::string::npos);
  minutes.insert(minutes.end(), {"--schedule", "cosine"});
  expect_failure(train("other", minutes), 2, "is too short: reading the text took");
}

TEST_F(TrainCommand, ReportsDivergence) {
  std::vector<std::string> words = command("run", {"--on-divergence", "stop"});
  *(std::find(words.begin(), words.end(), "--learning-rate") + 1) = "1e6";
  const ProgramResult stopped = run_program(words);
  expect_failure(stopped, 1, "the training diverged at update ");
  EXPECT_NE(stopped.errors.find("--spike-deviations"), std::string::npos) << stopped.errors;
  words.back() = "skip";
  expect_failure(run_program(words), 1, "10 updates in a row");
}

TEST_F(TrainCommand, ContinuesWithADamagedLog) {
  ASSERT_EQ(train("whole").status, 0);
  ASSERT_EQ(train("run", {"--max-updates", "20"}).status, 0);
  const std::string log = folder.read("run/train.log.jsonl");
  folder.write("run/train.log.jsonl", log.substr(0, log.size() - 30));
  const ProgramResult continued = train("run");
  EXPECT_EQ(continued.status, 0);
  EXPECT_NE(continued.errors.find("train.log.jsonl has no reports in line 4;"), std::string::npos)
      << continued.errors;
  EXPECT_EQ(read_file(folder / "run/last/model.safetensors"),
            read_file(folder / "whole/last/model.safetensors"));
  EXPECT_EQ(read_lines(folder / "run/train.log.jsonl").size(), 5u);
}

}  // namespace
}  // namespace gloss
