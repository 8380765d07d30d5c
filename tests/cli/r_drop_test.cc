// SPDX-License-Identifier: Apache-2.0
// gloss train --r-drop through the real binary.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct RDrop : TrainCommand {
  nlohmann::json last_report(const std::string& run) {
    return nlohmann::json::parse(read_lines(folder / (run + "/train.log.jsonl")).back());
  }
};

TEST_F(RDrop, AddsTheDivergenceOfTwoPasses) {
  ASSERT_EQ(train("plain", {"--max-updates", "5"}).status, 0);
  const ProgramResult result = train("paired", {"--max-updates", "5", "--r-drop", "100"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const nlohmann::json plain = last_report("plain"), paired = last_report("paired");
  EXPECT_EQ(plain["tokens"], paired["tokens"]) << "tokens count once";
  const auto added = [](const nlohmann::json& report) {
    return report["loss"].get<double>() - report["cross_entropy"].get<double>();
  };
  EXPECT_GT(added(paired), added(plain) + 0.2);
  const nlohmann::json settings = nlohmann::json::parse(folder.read("paired/last/config.json"))["training"];
  EXPECT_EQ(settings["r_drop"], 100);
}

TEST_F(RDrop, GivesTheSameBytesInPartsAndOnAnyThreads) {
  ASSERT_EQ(train("teacher").status, 0);
  expect_parts_as_whole(
      [&](const std::string& output, const std::vector<std::string>& more) { return train(output, more); },
      {"--r-drop", "5", "--gradient-shards", "2", "--teacher", folder / "teacher", "--tokenizer",
       folder / "teacher/best/tokenizer.model"},
      {"4", "9"});
}

TEST_F(RDrop, WorksForRecurrentNetworksAndFineTuning) {
  ASSERT_EQ(run_program(any_command("recurrent", {"--architecture", "recurrent", "--r-drop", "2"})).status,
            0);
  const std::vector<std::string> finetune{"finetune",
                                          "--model",
                                          folder / "recurrent",
                                          "--source",
                                          folder / "train.en",
                                          "--target",
                                          folder / "train.de",
                                          "--output",
                                          folder / "tuned",
                                          "--max-updates",
                                          "2",
                                          "--r-drop",
                                          "1"};
  const ProgramResult result = gloss(finetune);
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(RDrop, NeedsDropout) {
  const std::vector<std::string> without{"--dropout", "0", "--embedding-dropout", "0", "--r-drop", "1"};
  expect_failure(train("none", without), 2, "--r-drop");
  EXPECT_EQ(train("attention", {"--dropout", "0", "--embedding-dropout", "0", "--attention-dropout", "0.1",
                                "--r-drop", "1"})
                .status,
            0);
  expect_failure(train("negative", {"--r-drop", "-1"}), 2, "--r-drop");
}

}  // namespace
}  // namespace gloss
