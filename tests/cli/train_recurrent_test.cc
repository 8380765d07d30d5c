// SPDX-License-Identifier: Apache-2.0
// Recurrent networks through the real binary: every command that reads models accepts them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "model/tensor/can_multiply.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct TrainRecurrent : TrainCommand {
  ProgramResult train_recurrent(const std::string& output, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--architecture", "recurrent", "--embedding-width", "24"});
    return run_program(any_command(output, more));
  }
  std::string translated(const std::vector<std::string>& more, const std::string& input) {
    std::vector<std::string> words{"translate", "--max-length", "20"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, input);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
};

TEST_F(TrainRecurrent, LearnsTwentyLinesByHeart) {
  const Text twenty = number_words(20, 3);
  folder.write("train.en", twenty.english);
  folder.write("train.de", twenty.german);
  for (const std::vector<std::string>& kind :
       {std::vector<std::string>{"--cell", "gru", "--query", "before"},
        {"--cell", "lstm", "--attention", "general", "--input-feeding"},
        {"--cell", "gru", "--query", "between"},
        {"--cell", "gru", "--coverage", "--heads", "2", "--window", "predictive"},
        {"--cell", "gru", "--selection", "hard"},
        {"--cell", "lstm", "--attention", "none", "--reverse-source"}}) {
    std::vector<std::string> options{"--valid-interval",
                                     "250",
                                     "--max-updates",
                                     "250",
                                     "--label-smoothing",
                                     "0",
                                     "--dropout",
                                     "0",
                                     "--embedding-dropout",
                                     "0",
                                     "--fresh",
                                     "--output-dropout",
                                     "0"};
    options.insert(options.end(), kind.begin(), kind.end());
    ASSERT_EQ(train_recurrent("run", options).status, 0);
    SCOPED_TRACE(join(kind, " "));
    expect_nearly(translated({"-m", folder / "run"}, twenty.english), twenty.german);
  }
}

TEST_F(TrainRecurrent, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return train_recurrent(of...); },
                        with_validation({"--attention", "additive", "--query", "before", "--cell", "lstm",
                                         "--dropout-layers", "source", "--valid-interval", "4"}),
                        {"8", "20"});
}

TEST_F(TrainRecurrent, ASettingMissingInAnOldTrainingHasItsDefault) {
  ASSERT_EQ(train_recurrent("run", {"--max-updates", "2"}).status, 0);
  const std::string file = std::filesystem::canonical(folder / "run/last") / "config.json";
  nlohmann::json config = nlohmann::json::parse(read_file(file));
  for (const char* part : {"network", "training"}) {
    ASSERT_EQ(config[part].erase("scale_embeddings"), 1u) << config[part];
  }
  write_file(file, config.dump());
  expect_failure(train_recurrent("run", {"--max-updates", "3", "--scale-embeddings", "false"}), 2,
                 "was started with --scale-embeddings true, now it is false");
  const ProgramResult same = train_recurrent("run", {"--max-updates", "3"});
  EXPECT_EQ(same.status, 0) << same.errors;
}

TEST_F(TrainRecurrent, EveryCommandAcceptsRecurrentNetworks) {
  ASSERT_EQ(train_recurrent("gru", with_validation({"--layer-norm", "--precision",
                                                    can_multiply(DType::bf16) ? "bf16" : "f32"}))
                .status,
            0);
  ASSERT_EQ(
      train("transformer", with_validation({"--tokenizer", folder / "gru/last/tokenizer.model"})).status, 0);
  const std::string input = number_words(30, 5).english;

  // Neither batches nor neighbours nor threads change a line.
  const std::string whole = translated({"-m", folder / "gru", "--batch-size", "30"}, input);
  EXPECT_EQ(translated({"-m", folder / "gru", "--batch-size", "1", "-j", "2"}, input), whole);
  EXPECT_EQ(translated({"-m", folder / "gru", "--batch-size", "7"}, input), whole);

  for (const DType number : {DType::int8, DType::bf16}) {
    const std::string type = name_of(number);
    ASSERT_EQ(gloss({"quantize", "-m", folder / "gru", "--type", type, "--output", folder / type}).status, 0);
    const std::string stored = translated({"-m", folder / type}, input);
    if (!can_multiply(number)) continue;
    EXPECT_EQ(stored, translated({"-m", folder / "gru", "--precision", type}, input));
  }
  ASSERT_EQ(gloss({"average", folder / "gru", "--output", folder / "mean"}).status, 0);
  translated({"-m", folder / "mean", "-m", folder / "transformer"}, input);  // an ensemble of architectures

  const ProgramResult learned = gloss({"shortlist", "-m", folder / "gru", "--source", folder / "train.en",
                                       "--target", folder / "train.de", "--output", folder / "list"});
  ASSERT_EQ(learned.status, 0) << learned.errors;
  const auto shortlisted = [&](const std::string& lines_together) {
    return translated({"-m", folder / "gru", "--shortlist", folder / "list", "--shortlist-first", "0",
                       "--shortlist-best", "1", "--batch-size", lines_together},
                      input);
  };
  EXPECT_EQ(shortlisted("1"), shortlisted("30"));
  EXPECT_NE(shortlisted("30"), whole);

  const ProgramResult info = gloss({"info", "-m", folder / "gru"});
  EXPECT_EQ(info.status, 0) << info.errors;
  EXPECT_NE(info.output.find("recurrent"), std::string::npos) << info.output;
  EXPECT_EQ(info.output.find("feed_forward_width"), std::string::npos) << info.output;

  const ProgramResult aligned =
      gloss({"translate", "-m", folder / "gru", "--alignment", "hard", "--format", "json"}, "one two\n");
  EXPECT_EQ(aligned.status, 0) << aligned.errors;
}

TEST_F(TrainRecurrent, RefusesInvalidSettingsBeforeReading) {
  folder.write("train.en", "");  // would be an error as well
  const auto expect_refused = [&](const std::vector<std::string>& options, const std::string& message) {
    expect_failure(train_recurrent("run", options), 2, message);
  };
  expect_refused({"--feed-forward-width", "32"},
                 "--feed-forward-width has no effect: it is for transformers");
  expect_refused({"--preset", "tiny"}, "--preset");
  expect_refused({"--context", "first"}, "--context has no effect: it needs --attention none");
  expect_refused({"--attention", "none", "--heads", "2"}, "--heads has no effect: the attention is 'none'");
  expect_refused({"--heads", "3"}, "width 16 is not divisible by heads 3");
  expect_refused({"--attention", "none", "--input-feeding"}, "input feeding");
  expect_refused({"--positions", "rotary"}, "--positions has no effect: it is for transformers");
  expect_refused({"--attention", "none", "--coverage"}, "--coverage has no effect: the attention is 'none'");
  expect_refused({"--window-reach", "3"}, "--window-reach has no effect: the window is 'none'");
  expect_refused({"--window", "monotonic", "--reverse-source"}, "monotonic window");
  expect_refused({"--selection", "hard", "--query", "before"}, "hard attention needs the query 'after'");
  expect_refused({"--selection", "hard", "--coverage"}, "hard attention needs the query 'after'");
  expect_refused({"--attention", "cosine"}, "expected one of none, dot, scaled-dot, general, additive");
  expect_failure(train("run", {"--cell", "gru"}), 2, "--cell has no effect: it is for recurrent networks");
  expect_failure(run_program(any_command("run", {"--heads", "3"})), 2, "is not divisible by heads 3");
  expect_failure(run_program(any_command("run", {"--heads", "16", "--positions", "rotary"})), 2,
                 "rotary positions");
  expect_failure(train("run", {"--relative-reach", "4"}), 2,
                 "--relative-reach has no effect: it needs --positions relative");
}

TEST_F(TrainRecurrent, NetworksWithoutAttentionHaveNoAlignments) {
  ASSERT_EQ(
      train_recurrent("run", {"--attention", "none", "--context", "first", "--max-updates", "2"}).status, 0);
  expect_failure(gloss({"translate", "-m", folder / "run", "--unknown-replacement"}, "one\n"), 2,
                 "this model has no attention");
}

}  // namespace
}  // namespace gloss
