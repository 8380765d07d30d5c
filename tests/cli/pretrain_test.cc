// SPDX-License-Identifier: Apache-2.0
// gloss pretrain through the real binary: training of language models, and errors.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "pipeline/training/training_directory.h"
#include "tests/cli/pretrain_command.h"
#include "tests/support/started_program.h"

namespace gloss {
namespace {

/// The last validation in the log of a training.
nlohmann::json last_validation(const std::string& log) {
  nlohmann::json last;
  for (const std::string& line : read_lines(log)) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    if (entry["event"] == "validation") last = entry;
  }
  return last;
}

TEST_F(PretrainCommand, LearnsTwentyLinesByHeart) {
  const auto [lines, beginnings] = twenty_lines();
  const std::string file = folder.write("twenty", lines);
  const ProgramResult trained =
      pretrain("run", {"--input", file, "--document", "line", "--max-updates", "250", "--valid-interval",
                       "250", "--width", "32", "--dropout", "0", "--embedding-dropout", "0"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  for (const std::string beam : {"1", "3"}) {
    const ProgramResult made = gloss({"generate", "-m", folder / "run", "--beam-size", beam}, beginnings);
    expect_nearly(made.output, lines);
  }
  for (const std::string type : {"bf16", "int8"}) {
    ASSERT_EQ(
        gloss({"quantize", "-m", folder / "run/best", "--type", type, "--output", folder / type}).status, 0);
    expect_nearly(gloss({"generate", "-m", folder / type}, beginnings).output, lines);
  }
  const ProgramResult shown = gloss({"info", "-m", folder / "run"});
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_NE(shown.output.find("decoder"), std::string::npos) << shown.output;
  EXPECT_EQ(shown.output.find("encoder.0"), std::string::npos) << shown.output;
}

TEST_F(PretrainCommand, SamplesHaveTheProbabilitiesOfScore) {
  ASSERT_EQ(pretrain("run", {"--document", "line", "--max-updates", "100", "--precision", "f32"}).status, 0);
  const ProgramResult made = gloss({"generate", "-m", folder / "run", "--unprompted", "60", "--sample",
                                    "--format", "json", "--precision", "f32"});
  ASSERT_EQ(made.status, 0) << made.errors;
  std::string lines;
  std::vector<nlohmann::json> texts, scores;
  for (const std::string& line : split(made.output, '\n')) {
    if (line.empty()) continue;
    texts.push_back(nlohmann::json::parse(line)["texts"].at(0));
    lines += texts.back()["text"].get<std::string>() + "\n";
  }
  ASSERT_EQ(texts.size(), 60u);
  const ProgramResult scored = gloss({"score", "-m", folder / "run", "--input", folder.write("made", lines),
                                      "--format", "json", "--precision", "f32"});
  for (const std::string& line : split(scored.output, '\n')) {
    if (!line.empty()) scores.push_back(nlohmann::json::parse(line));
  }
  ASSERT_EQ(scores.size(), texts.size()) << scored.errors;
  int compared = 0, others = 0;  // the sampled pieces of a text may differ from its encoding
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i]["cut"] == true || scores[i]["tokens"] != texts[i]["tokens"].get<int>() + 1) continue;
    ++compared;
    const double difference =
        static_cast<double>(scores[i]["log_probability"]) - static_cast<double>(texts[i]["log_probability"]);
    others += std::abs(difference) > 1e-3 ? 1 : 0;
  }
  EXPECT_LE(others, 3) << "by chance of the same number";
  EXPECT_GT(compared, 20);
}

TEST_F(PretrainCommand, ValidatesAsScoreDoes) {
  const ProgramResult trained =
      pretrain("run", {"--valid-input", folder / "valid.en", "--document", "line", "--precision", "f32"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("bits per character"), std::string::npos) << trained.errors;
  const nlohmann::json figures = last_validation(folder / "run/train.log.jsonl");
  const ProgramResult scored = gloss({"score", "-m", folder / "run/last", "--precision", "f32", "--input",
                                      folder / "valid.en", "--summary"});
  ASSERT_EQ(scored.status, 0) << scored.errors;
  const nlohmann::json sums = nlohmann::json::parse(scored.output);
  for (const std::string name : {"cross_entropy", "perplexity", "bits_per_character"}) {
    EXPECT_NEAR(static_cast<double>(figures[name]), static_cast<double>(sums[name]), 1e-3) << name;
  }
}

TEST_F(PretrainCommand, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return pretrain(of...); },
                        {"--valid-input", folder / "valid.en", "--valid-interval", "4", "--bpe-dropout",
                         "0.1", "--shuffle-window", "100"},
                        {"8", "12", "30"});
}

TEST_F(PretrainCommand, KilledAtRandomMomentsGivesTheSameBytes) {
  const auto until = [&](std::int64_t updates) {
    return std::vector<std::string>{"--save-minutes",       "0", "--document", "file", "--max-updates",
                                    std::to_string(updates)};
  };
  Random random(4);
  for (int kill = 0; kill < 4; ++kill) {
    StartedProgram endless(pretrain_command("killed", until(1'000'000)), folder / "errors");
    const std::size_t known = list_checkpoints(folder / "killed").size();
    while (endless.runs() && list_checkpoints(folder / "killed").size() == known && known == 0) usleep(2000);
    usleep(static_cast<useconds_t>(random.below(200'000)));
    EXPECT_TRUE(endless.runs()) << folder.read("errors");
    endless.send(SIGKILL);
    endless.wait();
  }
  const std::int64_t end = list_checkpoints(folder / "killed").back().update + 3;
  ASSERT_EQ(pretrain("killed", until(end)).status, 0);
  ASSERT_EQ(pretrain("whole", until(end)).status, 0);
  EXPECT_EQ(differences("killed/last", "whole/last"), kNone) << end << " updates";
}

TEST_F(PretrainCommand, MixesCorporaByWeight) {
  const ProgramResult result = pretrain("run", {"--input", folder / "train.en", folder / "train.de",
                                                "--corpus-weights", "1", "0.5", "--max-updates", "3"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("train.de: 300 lines"), std::string::npos) << result.errors;
  expect_failure(pretrain("other", {"--corpus-weights", "1", "2"}), 2, "--corpus-weights");
}

TEST_F(PretrainCommand, ATextShorterThanABlockIsLearned) {
  const ProgramResult result =
      pretrain("run", {"--input", folder.write("short", "one"), "--vocab-size", "8", "--max-updates", "3"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("short: 1 line, "), std::string::npos) << result.errors;
}

TEST_F(PretrainCommand, RefusesInvalidInputBeforeItStarts) {
  ASSERT_EQ(
      gloss({"vocab", "--input", folder / "train.en", "--size", "40", "--output", folder / "v.model"}).status,
      0);
  const auto from = [&](const std::string& name, const std::string& text) {
    return pretrain("run", {"--tokenizer", folder / "v.model", "--input", folder.write(name, text)});
  };
  expect_failure(from("empty", ""), 3, "empty: the text is empty");
  expect_failure(from("blank", "\n \n"), 3, "blank: all lines are blank");
  EXPECT_EQ(pretrain("run", {"--input", folder / "empty"}).status, 3) << "nothing to learn a vocabulary from";
  expect_failure(pretrain("run", {"--input", folder / "missing"}), 3, "missing");
  expect_failure(gloss({"pretrain", "--output", folder / "run"}), 2, "--input FILE");
  expect_failure(gloss({"pretrain", "--input", folder / "train.en"}), 2, "--output DIR");
  expect_failure(pretrain("run", {"--max-positions", "23"}), 2,
                 "--block-length 24 does not fit into --max-positions 23");
  // The symbol of the language is two tokens, and the end token is one.
  expect_failure(pretrain("run", {"--objective", "denoise", "--languages", "en", "--block-length", "3"}), 2,
                 "--block-length 3");
  expect_failure(pretrain("run", {"--early-stopping", "2"}), 2, "--valid-input");
  expect_failure(pretrain("run", {"--stop-on", "bleu", "--valid-input", folder / "valid.en"}), 2,
                 "--stop-on: found 'bleu'");
  expect_failure(pretrain("run", {"--objective", "nothing"}), 2, "--objective");
  expect_failure(pretrain("run", {"--valid-input", folder / "empty"}), 3, "empty: the text is empty");
  EXPECT_FALSE(std::filesystem::exists(folder / "run/last"));
}

TEST_F(PretrainCommand, RefusesTheDirectoryOfAnotherKindOfTraining) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const ProgramResult other = pretrain("run", {"--max-updates", "4"});
  EXPECT_EQ(other.status, 2) << other.errors;
  EXPECT_NE(other.errors.find("was started with"), std::string::npos) << other.errors;
  ASSERT_EQ(pretrain("lm", {"--max-updates", "2"}).status, 0);
  expect_failure(pretrain("lm", {"--max-updates", "4", "--document", "file"}), 2,
                 "--document \"blank_line\", now it is \"file\"");
  expect_failure(gloss({"translate", "-m", folder / "lm"}, "one\n"), 3, "is a language model");
}

}  // namespace
}  // namespace gloss
