// SPDX-License-Identifier: Apache-2.0
// gloss train through the real binary: its models and its errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "tests/cli/train_command.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

TEST_F(TrainCommand, TrainsAUsableModel) {
  const ProgramResult result =
      train("run", with_validation({"--max-updates", "60", "--valid-interval", "20"}));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("update 20, epoch"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("BLEU"), std::string::npos);
  EXPECT_NE(result.errors.find("finished after update 60"), std::string::npos);

  std::vector<std::string> events;
  double first_loss = 0, last_loss = 0;
  for (const std::string& line : read_lines(folder / "run/train.log.jsonl")) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    events.push_back(entry["event"]);
    if (entry["event"] == "report") (first_loss == 0 ? first_loss : last_loss) = entry["loss"];
  }
  EXPECT_EQ(std::count(events.begin(), events.end(), "report"), 12);
  EXPECT_EQ(std::count(events.begin(), events.end(), "validation"), 3);
  EXPECT_LT(last_loss, first_loss);

  const ProgramResult translated =
      gloss({"translate", "-m", folder / "run/best", "--beam-size", "1"}, "one two\n\nnine\n");
  EXPECT_EQ(translated.status, 0) << translated.errors;
  EXPECT_EQ(std::count(translated.output.begin(), translated.output.end(), '\n'), 3);
}

TEST_F(TrainCommand, GivesTheSameModelForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2", "5"}) {
    ASSERT_EQ(train("run" + threads, with_validation({"-j", threads, "--shuffle-window", "100"})).status, 0);
    EXPECT_EQ(differences("run" + threads + "/last", "run1/last"), kNone) << threads;
  }
  EXPECT_TRUE(has(train("many", {"-j", "3"}).errors, "--gradient-shards 3"));
  EXPECT_FALSE(has(train("many", {"-j", "3", "--max-updates", "100"}).errors, "--gradient-shards"));
  EXPECT_FALSE(has(train("few", {"-j", "2"}).errors, "--gradient-shards"));
  ASSERT_EQ(train("other", with_validation({"--seed", "2"})).status, 0);
  EXPECT_NE(read_file(folder / "other/last/model.safetensors"),
            read_file(folder / "run1/last/model.safetensors"));
}

TEST_F(TrainCommand, RefusesADirectoryInPlaceOfALinkBeforeItStarts) {
  for (const std::string name : {"best", "last"}) {
    std::filesystem::create_directories(folder / concat("taken-", name, "/", name));
    const ProgramResult result = train("taken-" + name);
    expect_failure(result, 2, folder / concat("taken-", name, "/", name));
    EXPECT_EQ(list("taken-" + name), std::vector<std::string>{name}) << result.errors;
  }
}

TEST_F(TrainCommand, RefusesInvalidInputBeforeItStarts) {
  expect_failure(train("run", {"--heads=3"}), 2, "given more than once");
  expect_failure(gloss({"train", "--source", folder / "train.en", "--output", folder / "run"}), 2,
                 "found only --source");
  expect_failure(gloss({"train", "--source", folder / "train.en", "--target", folder / "train.de"}), 2,
                 "--output DIR");
  expect_failure(train("run", {"--tokenizer", folder / "missing.model"}), 3, "missing.model");
  expect_failure(train("run", {"--schedule", "linear", "--max-updates", "0"}), 2, "--max-updates");
  expect_failure(train("run", {"--max-length", "2000"}), 2, "--max-positions 1024");
  expect_failure(train("run", {"--schedule", "linear", "--max-updates", "5"}), 2,
                 "--warmup-updates 10 leaves");
  expect_failure(train("run", {"--valid-source", folder / "valid.en"}), 2, "--valid-target");
  expect_failure(train("run", {"--valid-source", folder / "none.en", "--valid-target", folder / "none.de"}),
                 3, "none.en");
  expect_failure(train("run", {"--early-stopping", "2"}), 2, "--early-stopping needs a validation text");
  folder.write("a file", "");
  expect_failure(train("a file/run"), 1, "a file/run");
  folder.write("train.de", "eins\n");
  expect_failure(train("run"), 3, "train.en has 300 lines but ");
  EXPECT_FALSE(fs::exists(folder / "run/last"));
}

TEST_F(TrainCommand, LengthsThatWereNotGivenFitIntoThePositions) {
  const auto setting = [&](const std::string& run, const char* name) {
    return nlohmann::json::parse(folder.read(run + "/best/config.json"))["training"][name];
  };
  const ProgramResult trained = train("run", {"--max-positions", "64", "--max-updates", "2"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(setting("run", "max_length"), 63);
  const ProgramResult pretrained =
      gloss({"pretrain", "--input", folder / "train.en", "--vocab-size", "60", "--preset", "tiny",
             "--max-positions", "32", "--max-updates", "1", "--output", folder / "lm"});
  ASSERT_EQ(pretrained.status, 0) << pretrained.errors;
  EXPECT_EQ(setting("lm", "block_length"), 32);
}

TEST_F(TrainCommand, SkipsUnusablePairsWithAWarning) {
  Text text = number_words(50, 4);
  text.english +=
      "\none\n" + std::string(100'000, 'x') + "\ntwo \xff\n\xe2\x80\xa8three\r\nfour" + std::string(1, '\0');
  text.german += "eins\n \t\nlang\nzwei\ndrei\r\nvier";
  folder.write("train.en", text.english);
  folder.write("train.de", text.german);
  const ProgramResult result = train("run", {"--max-updates", "2"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("skipped 2 pairs with an empty or blank side (the first in line 51)"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("skipped 1 pair with a side of more than 256 tokens"), std::string::npos);
  EXPECT_NE(result.errors.find("replaced 1 invalid UTF-8 sequences"), std::string::npos);
  EXPECT_NE(result.errors.find("53 pairs"), std::string::npos);
}

TEST_F(TrainCommand, ReportsSmallLearningRatesAndAnUnfinishedWarmUp) {
  std::vector<std::string> words = command("run", {"--max-updates", "5"});
  *(std::ranges::find(words, "--learning-rate") + 1) = "1e-6";
  const ProgramResult result = run_program(words);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("learning rate 5e-07"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("--max-updates 5 is less than --warmup-updates 10"), std::string::npos)
      << result.errors;
  EXPECT_EQ(result.errors.find("waited 0."), std::string::npos) << result.errors;
  const ProgramResult longer = train("longer", {"--max-updates", "10"});
  EXPECT_EQ(longer.errors.find("--warmup-updates"), std::string::npos) << longer.errors;
}

TEST_F(TrainCommand, HasATokenizerForEachSide) {
  for (const std::string side : {"en", "de"}) {
    ASSERT_EQ(gloss({"vocab", "--input", folder / ("train." + side), "--size", "40", "--output",
                     folder / (side + ".model")})
                  .status,
              0);
  }
  std::vector<std::string> tokenizers{"--source-tokenizer", folder / "en.model", "--target-tokenizer",
                                      folder / "de.model"};
  const ProgramResult result = train("run", tokenizers);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("--tied-embeddings is 'target'"), std::string::npos) << result.errors;
  EXPECT_EQ(read_file(folder / "run/last/source.model"), read_file(folder / "en.model"));
  tokenizers.insert(tokenizers.end(), {"--tied-embeddings", "all"});
  expect_failure(train("other", tokenizers), 2, "--tied-embeddings all needs the same pieces");
}

TEST_F(TrainCommand, ReadsSettingsFromAFile) {
  folder.write("settings.ini", "width = 24\ndropout = 0.25\n");
  std::vector<std::string> words =
      any_command("run", {"--feed-forward-width", "32", "--heads", "2", "--config", folder / "settings.ini"});
  ASSERT_EQ(run_program(words).status, 0);
  const nlohmann::json config = nlohmann::json::parse(read_file(folder / "run/last/config.json"));
  EXPECT_EQ(config["training"]["dropout"], 0.25);
  EXPECT_EQ(config["network"]["width"], 16) << "the command line overrides the file";
  EXPECT_EQ(config["training"]["learning_rate"], 0.01);
}

TEST_F(TrainCommand, RefusesInvalidSettings) {
  expect_failure(train("run", {"--valid-beam-size", "61"}), 2, "--valid-beam-size 61");
  expect_failure(train("run", {"--epsilon", "0"}), 2, "--epsilon");
  expect_failure(train("run", {"--activation-dropout", "1"}), 2, "--activation-dropout");
}

}  // namespace
}  // namespace gloss
