// SPDX-License-Identifier: Apache-2.0
// Recurrent language models through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/pretrain_command.h"

namespace gloss {
namespace {

struct PretrainRecurrent : PretrainCommand {
  ProgramResult pretrain_recurrent(const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{
        kGlossBinary,       "pretrain", "--architecture", "recurrent", "--output",          folder / output,
        "--vocab-size",     "60",       "--width",        "48",        "--embedding-width", "24",
        "--block-length",   "24",       "--batch-tokens", "200",       "--learning-rate",   "0.01",
        "--warmup-updates", "10"};
    add_unless_given(words, classical_steps(), more);
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--no-hold-out");
    return run_program(words);
  }
};

TEST_F(PretrainRecurrent, EveryCommandAcceptsRecurrentLanguageModels) {
  const auto [lines, beginnings] = twenty_lines();
  const std::string file = folder.write("twenty", lines);
  const std::vector<std::string> usual{
      "--input",          file, "--document", "line", "--dropout",        "0",  "--embedding-dropout", "0",
      "--output-dropout", "0",  "--cell",     "lstm", "--valid-interval", "250"};
  const auto until = [&](const std::string& updates, const std::string& threads) {
    std::vector<std::string> more = usual;
    more.insert(more.end(), {"--max-updates", updates, "-j", threads});
    return more;
  };
  ASSERT_EQ(pretrain_recurrent("run", until("100", "2")).status, 0);
  ASSERT_EQ(pretrain_recurrent("run", until("250", "1")).status, 0);
  ASSERT_EQ(pretrain_recurrent("whole", until("250", "2")).status, 0);
  EXPECT_EQ(differences("run/last", "whole/last"), kNone);
  for (const std::string beam : {"1", "3"}) {
    const ProgramResult made = gloss({"generate", "-m", folder / "run", "--beam-size", beam}, beginnings);
    expect_nearly(made.output, lines);
  }
  ASSERT_EQ(
      gloss({"quantize", "-m", folder / "run/best", "--type", "int8", "--output", folder / "int8"}).status,
      0);
  EXPECT_EQ(gloss({"generate", "-m", folder / "int8"}, beginnings).output, lines);
  const ProgramResult scored = gloss({"score", "-m", folder / "run", "--input", file});
  EXPECT_EQ(scored.status, 0) << scored.errors;
  EXPECT_EQ(std::ranges::count(scored.output, '\n'), 20) << scored.output;
}

TEST_F(PretrainRecurrent, RefusesSettingsOfTheOtherArchitecture) {
  folder.write("train.en", "");  // would be an error as well
  const auto expect_refused = [&](const std::vector<std::string>& options, const std::string& message) {
    std::vector<std::string> more{"--input", folder / "train.en"};
    more.insert(more.end(), options.begin(), options.end());
    expect_failure(pretrain_recurrent("run", more), 2, message);
  };
  expect_refused({"--objective", "mlm"}, "masked models");
  expect_refused({"--norm", "pre"}, "--norm has no effect: it is for transformers");
  expect_refused({"--preset", "tiny"}, "--preset");
  expect_refused({"--heads", "2"}, "--heads has no effect: the attention is 'none'");
  expect_refused({"--attention", "dot"}, "unknown option '--attention'");
  expect_failure(pretrain("run", {"--cell", "gru"}), 2, "--cell has no effect: it is for recurrent networks");
}

}  // namespace
}  // namespace gloss
