// SPDX-License-Identifier: Apache-2.0
// Transformers with other positions than sinusoidal ones, through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct TrainPositions : TrainCommand, testing::WithParamInterface<const char*> {};

TEST_P(TrainPositions, LearnsTwentyLinesByHeart) {
  const Text twenty = number_words(20, 3);
  folder.write("train.en", twenty.english);
  folder.write("train.de", twenty.german);
  const ProgramResult trained =
      train("run", {"--positions", GetParam(), "--max-updates", "250", "--valid-interval", "250",
                    "--label-smoothing", "0", "--dropout", "0", "--embedding-dropout", "0"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const auto translated = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"translate", "--max-length", "20", "-m"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, twenty.english);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  expect_nearly(translated({folder / "run"}), twenty.german);
  expect_nearly(translated({folder / "run", "--batch-size", "1", "-j", "2", "--beam-size", "1"}),
                twenty.german);
  ASSERT_EQ(gloss({"quantize", "-m", folder / "run", "--type", "int8", "--output", folder / "int8"}).status,
            0);
  const std::string stored = translated({folder / "int8"});
  EXPECT_FALSE(stored.empty());
  EXPECT_EQ(stored, translated({folder / "run", "--precision", "int8"}));
}

INSTANTIATE_TEST_SUITE_P(All, TrainPositions,
                         testing::Values("none", "learned", "relative", "rotary", "alibi", "buckets",
                                         "sinusoidal-relative"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gloss
