// SPDX-License-Identifier: Apache-2.0
// gloss average through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

TEST_F(TrainCommand, AveragesCheckpoints) {
  ASSERT_EQ(train("run", {"--valid-interval", "10"}).status, 0);
  const ProgramResult result = gloss({"average", folder / "run", "--last", "2", "-o", folder / "mean"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("the mean of 2 models"), std::string::npos) << result.errors;
  const ProgramResult named = gloss(
      {"average", folder / "run/checkpoint-000020", folder / "run/checkpoint-000030", "-o", folder / "same"});
  EXPECT_EQ(named.status, 0) << named.errors;
  EXPECT_EQ(read_file(folder / "mean/model.safetensors"), read_file(folder / "same/model.safetensors"));
  EXPECT_NE(read_file(folder / "mean/model.safetensors"), read_file(folder / "run/last/model.safetensors"));
  EXPECT_EQ(gloss({"translate", "-m", folder / "mean"}, "one\n").status, 0);

  EXPECT_EQ(gloss({"average", folder / "run/last", "-o", folder / "alone"}).status, 0);
  EXPECT_EQ(read_file(folder / "alone/model.safetensors"), read_file(folder / "run/last/model.safetensors"));

  expect_failure(gloss({"average", folder / "nothing", "-o", folder / "x"}), 3, "nothing does not exist");
  expect_failure(gloss({"average", "-o", folder / "x"}), 2, "no models");
  expect_failure(gloss({"average", folder / "run", "-o", folder / "run/checkpoint-000030"}), 2,
                 "lies in " + folder / "run");
}

TEST_F(TrainCommand, RefusesToAverageDifferentModels) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  ASSERT_EQ(train("other", {"--max-updates", "2", "--tied-embeddings", "none"}).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "other/last", "-o", folder / "x"}), 3,
                 "cannot be averaged");
  expect_failure(
      gloss({"average", folder / "run/last", folder / "run/checkpoint-000002", "-o", folder / "x"}), 2,
      "are the same model");
  expect_failure(gloss({"average", folder / "run/last", "-o", folder / "other"}), 2, "belongs to a training");
  expect_failure(gloss({"average", folder / "run/last", "-o", folder / "other/last"}), 2,
                 "belongs to a training");
  std::vector<std::string> words = command("heads", {"--max-updates", "2"});
  *(std::find(words.begin(), words.end(), "--heads") + 1) = "4";
  ASSERT_EQ(run_program(words).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "heads/last", "-o", folder / "x"}), 3,
                 "network settings differ");
  const Text text = number_words(300, 5);
  folder.write("train.en", text.german);
  ASSERT_EQ(train("german", {"--max-updates", "2"}).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "german/last", "-o", folder / "x"}), 3,
                 "their tokenizer.model files differ");
}

}  // namespace
}  // namespace gloss
