// SPDX-License-Identifier: Apache-2.0
// Neural Turing Machines through the real binary.
#include <gtest/gtest.h>

#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct TrainTuring : TrainCommand {
  ProgramResult train_turing(const std::string& output, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--architecture", "turing", "--memory-rows", "12", "--memory-width", "8"});
    return run_program(any_command(output, more));
  }
};

TEST_F(TrainTuring, LearnsTwentyLinesByHeart) {
  const Text twenty = number_words(20, 3);
  folder.write("train.en", twenty.english);
  folder.write("train.de", twenty.german);
  const ProgramResult trained = train_turing("run", {"--max-updates", "250", "--schedule", "cooldown",
                                                     "--cooldown", "0.5", "--label-smoothing", "0"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  for (const std::string precision : {"f32", "int8"}) {
    for (const std::string batch : {"1", "7"}) {
      const ProgramResult translated =
          gloss({"translate", "-m", folder / "run", "--precision", precision, "--batch-size", batch},
                twenty.english);
      expect_nearly(translated.output, twenty.german);
    }
  }
  EXPECT_EQ(
      gloss({"score", "-m", folder / "run", "--source", folder / "train.en", "--target", folder / "train.de"})
          .status,
      0);
}

TEST_F(TrainTuring, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return train_turing(of...); },
                        with_validation({"--heads", "2", "--valid-interval", "4"}), {"8", "20"});
}

TEST_F(TrainTuring, NamesMistakes) {
  expect_failure(train_turing("wrong", {"--shift-reach", "6"}), 2, "13 rows");
  expect_failure(gloss({"train", "--architecture", "turing", "--source", folder / "train.en", "--target",
                        folder / "train.de", "--memory-rows", "2000", "--memory-width", "1000", "--output",
                        folder / "wrong"}),
                 2, "1048576");
  expect_failure(gloss({"train", "--architecture", "turing", "--source", folder / "train.en", "--target",
                        folder / "train.de", "--encoder-layers", "2", "--output", folder / "wrong"}),
                 2, "2 encoder layers");
  expect_failure(train_turing("wrong", {"--dropout", "0.1"}), 2, "--dropout has no effect");
  expect_failure(train_turing("wrong", {"--cell", "gru"}), 2, "--cell has no effect");
  expect_failure(run_program(command("wrong", {"--memory-rows", "8"})), 2, "--memory-rows has no effect");
  expect_failure(gloss({"pretrain", "--objective", "lm", "--architecture", "turing", "--input",
                        folder / "train.en", "--output", folder / "wrong"}),
                 2, "Turing");
  ASSERT_EQ(train_turing("run", {"--max-updates", "2"}).status, 0);
  expect_failure(gloss({"align", "-m", folder / "run", "--source", folder / "train.en", "--target",
                        folder / "train.de"}),
                 2, "Turing");
}

}  // namespace
}  // namespace gloss
