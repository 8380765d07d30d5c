// SPDX-License-Identifier: Apache-2.0
// Models that predict targets from right to left, through the real binary.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "base/text.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

const std::vector<std::string> kBackwards{"--target-order", "right-to-left"};

struct RightToLeft : TrainCommand {
  ProgramResult train_backwards(const std::string& output, std::vector<std::string> more = {}) {
    more.insert(more.begin(), kBackwards.begin(), kBackwards.end());
    return train(output, more);
  }
  /// Trains on the first twenty lines until they are known by heart.
  void learn_twenty(const std::string& output) {
    const std::vector<std::string> english = read_lines(folder / "train.en"),
                                   german = read_lines(folder / "train.de");
    std::string source, target;
    for (std::size_t i = 0; i < 20; ++i) {
      source += english[i] + "\n";
      target += german[i] + "\n";
    }
    folder.write("train.en", source);
    folder.write("train.de", target);
    const ProgramResult result = train_backwards(
        output,
        {"--max-updates", "400", "--dropout", "0", "--embedding-dropout", "0", "--label-smoothing", "0"});
    ASSERT_EQ(result.status, 0) << result.errors;
  }
  nlohmann::json text_settings_of(const std::string& model) {
    return nlohmann::json::parse(folder.read(model + "/config.json"))["text"];
  }
  std::vector<nlohmann::json> json_of(const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<nlohmann::json> all;
    for (const std::string& line : split(result.output, '\n')) {
      if (!line.empty()) all.push_back(nlohmann::json::parse(line));
    }
    return all;
  }
};

TEST_F(RightToLeft, TwentyLinesAreKnownByHeartAndScoredAsTheyAreSearched) {
  learn_twenty("run");
  EXPECT_EQ(text_settings_of("run/best")["target_order"], "right-to-left");
  EXPECT_NE(gloss({"info", "-m", folder / "run"}).output.find("right-to-left"), std::string::npos);
  const std::string source = folder.read("train.en"), target = folder.read("train.de");
  for (const std::string beam : {"1", "4"}) {
    EXPECT_EQ(gloss({"translate", "-m", folder / "run", "--beam-size", beam}, source).output, target);
  }
  const auto found =
      json_of(gloss({"translate", "-m", folder / "run", "--format", "json", "--word-scores"}, source));
  const auto scored = json_of(gloss({"score", "-m", folder / "run", "--source", folder / "train.en",
                                     "--target", folder / "train.de", "--format", "json", "--word-scores"}));
  ASSERT_EQ(found.size(), 20U);
  ASSERT_EQ(scored.size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const nlohmann::json& best = found[i].contains("translations") ? found[i]["translations"][0] : found[i];
    EXPECT_NEAR(scored[i]["log_probability"].get<double>(), best["log_probability"].get<double>(), 1e-4);
    EXPECT_NEAR(scored[i]["end_log_probability"].get<double>(), best["end_log_probability"].get<double>(),
                1e-4);
    ASSERT_EQ(scored[i]["words"].size(), best["words"].size());
    for (std::size_t word = 0; word < best["words"].size(); ++word) {
      EXPECT_EQ(scored[i]["words"][word]["text"], best["words"][word]["text"]);
      EXPECT_NEAR(scored[i]["words"][word]["log_probability"].get<double>(),
                  best["words"][word]["log_probability"].get<double>(), 1e-4);
    }
  }
}

TEST_F(RightToLeft, DraftsDoNotChangeTheOutput) {
  learn_twenty("run");
  const std::string source = folder.read("train.en");
  const std::vector<std::string> english = read_lines(folder / "train.en"),
                                 german = read_lines(folder / "train.de");
  std::string memory;
  for (std::size_t i = 0; i < english.size(); ++i)
    memory += english[i] + "\t" + german[(i + i / 3) % 20] + "\n";
  const std::string file = folder.write("memory.tsv", memory);
  const std::string expected =
      gloss({"translate", "-m", folder / "run", "--beam-size", "1", "--scores"}, source).output;
  const std::string shortlist = folder / "list";
  ASSERT_EQ(gloss({"shortlist", "-m", folder / "run", "--source", folder / "train.en", "--target",
                   folder / "train.de", "-o", shortlist})
                .status,
            0);
  for (const std::string& draft : {file, shortlist, std::string(folder / "run")}) {
    for (const std::string size : {"1", "20"}) {
      const ProgramResult drafted = gloss({"translate", "-m", folder / "run", "--beam-size", "1", "--scores",
                                           "--draft", draft, "--batch-size", size},
                                          source);
      EXPECT_EQ(drafted.output, expected) << draft << drafted.errors;
    }
  }
}

TEST_F(RightToLeft, GuidedAttentionAndAlignmentsAreThoseOfTheText) {
  std::string links;
  for (const std::string& line : read_lines(folder / "train.en")) {
    for (std::size_t word = 0; word < split(line, ' ').size(); ++word)
      links += concat(word == 0 ? "" : " ", word, "-", word);
    links += "\n";
  }
  ASSERT_EQ(train_backwards("run", {"--guided-alignment", folder.write("links", links),
                                    "--guided-alignment-weight", "1", "--max-updates", "250"})
                .status,
            0);
  const ProgramResult aligned = gloss(
      {"align", "-m", folder / "run", "--source", folder / "valid.en", "--target", folder / "valid.de"});
  ASSERT_EQ(aligned.status, 0) << aligned.errors;
  int right = 0, words = 0;
  for (const std::string& line : split(aligned.output, '\n')) {
    if (line.empty()) continue;
    for (const std::string& link : split(line, ' ')) {
      const std::vector<std::string> ends = split(link, '-');
      right += ends.at(0) == ends.at(1) ? 1 : 0;
      ++words;
    }
  }
  EXPECT_GE(right, words * 3 / 4) << right << " of " << words;
  const ProgramResult translated =
      gloss({"translate", "-m", folder / "run", "--alignment", "hard"}, "three four five\n");
  EXPECT_EQ(translated.output, "drei vier fünf\t0-0 1-1 2-2\n");
}

TEST_F(RightToLeft, WhatReadsTargetsFromTheirBeginningIsRefused) {
  ASSERT_EQ(train_backwards("backwards", {"--max-updates", "3"}).status, 0);
  const std::string tokenizer = folder / "backwards/best/tokenizer.model";
  ASSERT_EQ(train("forwards", {"--max-updates", "3", "--tokenizer", tokenizer}).status, 0);
  const std::string model = folder / "backwards", other = folder / "forwards";
  const std::string file = folder.write("phrases", "one\teins\n");
  expect_failure(gloss({"translate", "-m", model, "--prefix"}, "one\n"), 2,
                 "--prefix: the model writes from right");
  expect_failure(gloss({"translate", "-m", model, "--lexicon", file}, "one\n"), 2, "--lexicon: the model");
  expect_failure(gloss({"translate", "-m", model, "--ban", file}, "one\n"), 2, "--ban: the model");
  expect_failure(gloss({"translate", "-m", model, "-m", other}, "one\n"), 2, "order of target tokens");
  expect_failure(gloss({"translate", "-m", other, "--beam-size", "1", "--draft", model}, "one\n"), 2,
                 "order of target tokens");
  expect_failure(gloss({"average", model + "/best", other + "/best", "-o", folder / "mean"}), 3,
                 "text settings");
  expect_failure(gloss({"export", "-m", model, "--format", "ctranslate2", "-o", folder / "ct2"}), 2,
                 "target_order");
  expect_failure(train("student", {"--teacher", model, "--tokenizer", tokenizer}), 2, "--target-order");
  expect_failure(train_backwards("student", {"--teacher", other, "--tokenizer", tokenizer}), 2,
                 "--target-order");
  expect_failure(train("backwards", {"--max-updates", "5"}), 2, "--target-order");
}

TEST_F(RightToLeft, FineTuningAndCopiesKeepTheOrder) {
  ASSERT_EQ(train_backwards("run", {"--max-updates", "3"}).status, 0);
  ASSERT_EQ(gloss({"quantize", "-m", folder / "run", "-o", folder / "small"}).status, 0);
  ASSERT_EQ(gloss({"finetune", "-m", folder / "run", "--source", folder / "train.en", "--target",
                   folder / "train.de", "--max-updates", "2", "-o", folder / "tuned"})
                .status,
            0);
  ASSERT_EQ(train("forwards", {"--max-updates", "2"}).status, 0);
  EXPECT_EQ(text_settings_of("small")["target_order"], "right-to-left");
  EXPECT_EQ(text_settings_of("tuned/best")["target_order"], "right-to-left");
  EXPECT_FALSE(text_settings_of("forwards/best").contains("target_order"));
  std::string config = folder.read("small/config.json");
  config.replace(config.find("right-to-left"), 13, "inside-out  !");
  folder.write("small/config.json", config);
  expect_failure(gloss({"translate", "-m", folder / "small"}, "one\n"), 3, "target_order");
}

TEST_F(RightToLeft, TrainsTheSameInParts) {
  expect_parts_as_whole([&](const std::string& output,
                            const std::vector<std::string>& more) { return train_backwards(output, more); },
                        {"--bpe-dropout", "0.2", "--gradient-shards", "2"}, {"7", "12"});
}

}  // namespace
}  // namespace gloss
