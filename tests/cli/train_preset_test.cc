// SPDX-License-Identifier: Apache-2.0
// gloss train without --preset: the sizes of the network follow from the size of the text.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct TrainPreset : TrainCommand {
  ProgramResult train_with(const std::vector<std::string>& more) {
    std::vector<std::string> words{"train",
                                   "--source",
                                   folder / "train.en",
                                   "--target",
                                   folder / "train.de",
                                   "--output",
                                   folder / "run",
                                   "--vocab-size",
                                   "60",
                                   "--batch-tokens",
                                   "100",
                                   "--encoder-layers",
                                   "1",
                                   "--decoder-layers",
                                   "1"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words);
  }
  nlohmann::json network() {
    return nlohmann::json::parse(read_file(folder / "run/last/config.json"))["network"];
  }
};

TEST_F(TrainPreset, IsTinyForASmallText) {
  const ProgramResult result = train_with({"--max-updates", "1", "--feed-forward-width", "64"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("--preset tiny"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("300 lines"), std::string::npos) << result.errors;
  EXPECT_EQ(network()["width"], 128);
  EXPECT_EQ(network()["heads"], 4);
  EXPECT_EQ(network()["encoder_layers"], 1);
  EXPECT_EQ(network()["feed_forward_width"], 64);
}

TEST_F(TrainPreset, IsUnchangedWhenATrainingContinues) {
  ASSERT_EQ(train_with({"--max-updates", "1", "--preset", "small"}).status, 0);
  const ProgramResult result = train_with({"--max-updates", "2"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(network()["width"], 256);
  EXPECT_EQ(result.errors.find("--preset"), std::string::npos) << result.errors;
  expect_failure(train_with({"--max-updates", "3", "--preset", "tiny"}), 2, "--width 256");
  expect_failure(train_with({"--max-updates", "3", "--dropout", "0.2"}), 2, "--dropout 0.1");
}

TEST_F(TrainPreset, HasNoNoteIfAllSizesAreGiven) {
  const ProgramResult result = train("run", {"--max-updates", "1"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors.find("--preset"), std::string::npos) << result.errors;
}

TEST_F(TrainPreset, ReportsTheCostOnce) {
  const std::vector<std::string> limits{"--max-updates", "30", "--max-epochs", "1000",
                                        "--max-minutes", "100"};
  const ProgramResult result = train("run", limits);
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::size_t at = result.errors.find("per update, ");
  ASSERT_NE(at, std::string::npos) << result.errors;
  EXPECT_EQ(result.errors.find("per update, ", at + 1), std::string::npos) << result.errors;
  const std::string line = result.errors.substr(at, result.errors.find('\n', at) - at);
  for (const char* part : {"MiB", "--max-updates 30", "--max-epochs 1000", "--max-minutes 100"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
  EXPECT_EQ(train("quiet", {"--max-updates", "30", "-q"}).errors, "");
}

}  // namespace
}  // namespace gloss
