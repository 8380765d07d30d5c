// SPDX-License-Identifier: Apache-2.0
// gloss info through the real binary.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/train_command.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

TEST_F(TrainCommand, InfoDescribesAModel) {
  ASSERT_EQ(train("run", with_validation()).status, 0);
  const ProgramResult text = gloss({"info", "-m", folder / "run"});
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("whole"), std::string::npos) << text.output;
  const nlohmann::json described =
      nlohmann::json::parse(gloss({"info", "--format", "json", "-m", folder / "run/last"}).output);
  EXPECT_EQ(described["network"]["width"], 16);
  EXPECT_EQ(described["training"]["updates"], 30);
  EXPECT_EQ(described["vocabulary"]["source_pieces"], 60);
  EXPECT_TRUE(described["training"]["best_validation"].contains("bleu"));
  EXPECT_GT(described["parameters"]["all"], 1000);
  EXPECT_EQ(
      gloss({"info", "--json=true", folder / "run/last"}).output,
      gloss({"info", "--config", folder.write("settings", "json = true\n"), folder / "run/last"}).output);
  EXPECT_EQ(nlohmann::json::parse(gloss({"info", "--json=true", folder / "run/last"}).output)["parameters"],
            described["parameters"])
      << "the older spelling";
}

TEST_F(TrainCommand, InfoShowsSmallNumbers) {
  ASSERT_EQ(train("run", {"--norm-epsilon", "1e-6"}).status, 0);
  const ProgramResult info = gloss({"info", "-m", folder / "run"});
  EXPECT_NE(info.output.find("1e-06"), std::string::npos) << info.output;
}

TEST_F(TrainCommand, InfoHasColumns) {
  ASSERT_EQ(train("run", {"--max-updates", "1"}).status, 0);
  const std::string text = gloss({"info", "-m", folder / "run"}).output;
  const auto column_of = [&](const std::string& name) {
    const std::size_t at = text.find("\n  " + name + " ");
    EXPECT_NE(at, std::string::npos) << name << text;
    return text.find_first_not_of(' ', at + 3 + name.size()) - at;
  };
  const std::size_t column = column_of("width");
  for (const std::string name :
       {"decoder_feed_forward_width", "encoder_layer_weights", "source_pieces", "heads"})
    EXPECT_EQ(column_of(name), column) << name;
  EXPECT_FALSE(has(text, "[]")) << text;
  EXPECT_FALSE(has(text, " \n")) << text;
}

TEST_F(TrainCommand, InfoNamesDefectsOfAModel) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const std::string last = "run/checkpoint-000002/";
  for (const std::string name : {"model.safetensors", "config.json", "tokenizer.model"}) {
    const std::string bytes = folder.read(last + name);
    folder.write(last + name, bytes.substr(0, bytes.size() / 2));
    expect_failure(gloss({"info", "-m", folder / "run/last"}), 3, name);
    const ProgramResult as_json = gloss({"info", "-m", folder / "run/last", "--format", "json"});
    EXPECT_EQ(as_json.status, 3);
    EXPECT_EQ(nlohmann::json::parse(as_json.output)["whole"], false);
    fs::remove(folder / (last + name));
    EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 3);
    folder.write(last + name, bytes);
  }
  const std::string optimizer = folder.read(last + "optimizer.safetensors");
  folder.write(last + "optimizer.safetensors", optimizer.substr(0, optimizer.size() - 4));
  expect_failure(gloss({"info", "-m", folder / "run/last"}), 3, "optimizer.safetensors");
  folder.write(last + "optimizer.safetensors", optimizer);
  EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 0);
  expect_failure(gloss({"info", "-m", folder / "nowhere"}), 3, "nowhere");
  expect_failure(gloss({"info"}), 2, "DIR is required");
}

TEST_F(TrainCommand, InfoReportsAMissingValidation) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  fs::remove(folder / "run/best");
  expect_failure(gloss({"info", "-m", folder / "run"}), 3, "run/last");
  EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 0);
}

}  // namespace
}  // namespace gloss
