// SPDX-License-Identifier: Apache-2.0
// gloss train with nothing but a text and an output, or with a time limit.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "tests/cli/train_command.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct TrainDefaults : TrainCommand {
  TrainDefaults() {
    const Text text = number_words(1500, 1);
    folder.write("train.en", text.english);
    folder.write("train.de", text.german);
  }
  /// Trains with the text, the output and sizes that make it quick.
  ProgramResult bare(const std::string& output, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {kGlossBinary, "train", "--source", folder / "train.en", "--target", folder / "train.de",
                 "--output", folder / output, "--width", "16", "--feed-forward-width", "32", "--heads", "2"});
    return run_program(more);
  }
  nlohmann::json settings(const std::string& output) {
    return nlohmann::json::parse(read_file(folder / (output + "/last/config.json"))).at("training");
  }
  nlohmann::json record(const std::string& output) {
    return nlohmann::json::parse(read_file(folder / (output + "/last/training.json")));
  }
};

TEST_F(TrainDefaults, PlansTheTrainingAndHoldsPairsOut) {
  const ProgramResult result = bare("run", {"--max-updates", "40"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* part : {"pairs are held out", "--no-hold-out", "plan for ", "--vocab-size",
                           "--preset tiny", "--optimizer muon", "--max-updates 40", "BLEU", "  ->  "}) {
    EXPECT_TRUE(has(result.errors, part)) << part << "\n" << result.errors;
  }
  const nlohmann::json all = settings("run");
  EXPECT_EQ(all.at("optimizer"), "muon");
  EXPECT_EQ(all.at("schedule"), "cooldown");
  EXPECT_EQ(all.at("max_updates"), 40);
  EXPECT_EQ(all.at("width"), 16) << "given";
  EXPECT_GT(record("run").at("data").at("held_out").at("lines").size(), 9u);
}

TEST_F(TrainDefaults, TranslationsMayBeAsLongAsThoseOfTheText) {
  std::string english, german;
  for (int line = 0; line < 200; ++line) {
    const bool long_one = line % 2 == 0;
    english += long_one ? "a\n" : "b\n";
    german += long_one ? "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x\n" : "y\n";
  }
  folder.write("train.en", english);
  folder.write("train.de", german);
  const ProgramResult trained =
      bare("run", {"--encoder-layers", "1", "--decoder-layers", "1", "--max-updates", "200",
                   "--label-smoothing", "0", "--no-hold-out"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const nlohmann::json lengths =
      nlohmann::json::parse(read_file(folder / "run/last/config.json")).at("lengths");
  EXPECT_GE(lengths.at("expansion"), 10) << lengths;
  EXPECT_EQ(gloss({"translate", "-m", folder / "run"}, "a\nb\n").output,
            german.substr(0, german.find('y') + 2));
  const ProgramResult limited = gloss({"translate", "-m", folder / "run", "--max-length-factor", "1"}, "a\n");
  EXPECT_LT(limited.output.size(), 40u) << "given";
}

TEST_F(TrainDefaults, OfALanguageModelAreAPlanToo) {
  const std::vector<std::string> words{"pretrain",
                                       "--input",
                                       folder / "train.en",
                                       "--document",
                                       "file",
                                       "--output",
                                       folder / "run",
                                       "--width",
                                       "16",
                                       "--feed-forward-width",
                                       "32",
                                       "--heads",
                                       "2",
                                       "--max-updates",
                                       "30",
                                       "--block-length",
                                       "24"};
  const ProgramResult result = gloss(words);
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* part : {"the last 75 of 1500 lines are held out", "plan for 1425 lines",
                           "--optimizer muon", "--decoder-mixers dynamic", "bits per character"}) {
    EXPECT_TRUE(has(result.errors, part)) << part << "\n" << result.errors;
  }
  EXPECT_TRUE(has(gloss(words).errors, "already finished"));
  const ProgramResult explained = gloss(
      {"pretrain", "--objective", "mlm", "--input", folder / "train.en", "--preset", "tiny", "--explain"});
  EXPECT_EQ(explained.status, 0) << explained.errors;
  EXPECT_TRUE(has(explained.errors, "nothing was written")) << explained.errors;
  const std::string last = folder.read("run/last/config.json");
  std::vector<std::string> again = words;
  again.insert(again.end(), {"--explain", "--quiet"});
  const std::string errors = gloss(again).errors;
  for (const std::string& part : {folder / "run", std::string("--fresh"), std::string("nothing was written")})
    EXPECT_TRUE(has(errors, part)) << part << "\n" << errors;
  EXPECT_EQ(folder.read("run/last/config.json"), last);
}

TEST_F(TrainDefaults, OfAClassifierAreSmallAndFast) {
  std::string rows;
  const std::vector<std::string> lines = split(folder.read("train.en"), '\n');
  for (std::size_t line = 0; line + 1 < lines.size(); ++line)
    rows += concat(has(lines[line], "seven") ? "with" : "without", "\t", lines[line], "\n");
  folder.write("train.tsv", rows);
  const ProgramResult result = gloss({"finetune", "--task", "classify", "--input", folder / "train.tsv",
                                      "--output", folder / "run", "--max-epochs", "2"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* part : {"lines are held out", "plan for ", "--preset classify", "accuracy"})
    EXPECT_TRUE(has(result.errors, part)) << part << "\n" << result.errors;
  EXPECT_EQ(settings("run").at("architecture"), "convolutional");
  EXPECT_EQ(settings("run").at("batch_tokens"), 512) << "recommended";
  const ProgramResult transformer = gloss(
      {"finetune", "--task", "classify", "--input", folder / "train.tsv", "--preset", "tiny", "--explain"});
  EXPECT_TRUE(has(transformer.errors, "--norm pre --norm-type rms")) << transformer.errors;
}

TEST_F(TrainDefaults, AStoppedTrainingContinuesWithItsPlan) {
  const std::vector<std::string> options{"--max-updates", "40", "--valid-interval", "10", "--samples", "0"};
  ASSERT_EQ(bare("whole", options).status, 0);
  ASSERT_EQ(bare("parts", options).status, 0);
  for (const char* number : {"40", "30"}) {
    fs::remove_all(folder / (std::string("parts/checkpoint-0000") + number));
  }
  for (const char* name : {"best", "last"}) fs::remove(folder / (std::string("parts/") + name));
  fs::create_symlink("checkpoint-000020", folder / "parts/last");
  const ProgramResult continued = bare("parts", options);
  ASSERT_EQ(continued.status, 0) << continued.errors;
  EXPECT_TRUE(has(continued.errors, "continues the training") && !has(continued.errors, "plan for "))
      << continued.errors;
  EXPECT_EQ(differences("parts/last", "whole/last"), std::vector<std::string>());
  // What was given before may be left out, but not changed.
  const ProgramResult changed = bare("parts", {"--learning-rate", "0.5"});
  EXPECT_EQ(changed.status, 2);
  EXPECT_TRUE(has(changed.errors, "--learning-rate") && has(changed.errors, "0.5")) << changed.errors;
}

TEST_F(TrainDefaults, PlansForATime) {
  const ProgramResult result = bare("run", {"--max-minutes", "0.1", "--early-stopping", "0"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "planned for --max-minutes 0.1") && has(result.errors, "gloss translate -m"))
      << result.errors;
  const nlohmann::json state = record("run").at("state");
  EXPECT_GT(state.at("planned_updates"), 0);
  EXPECT_EQ(state.at("update"), state.at("planned_updates"));
  const ProgramResult again = bare("run", {"--max-minutes", "0.1", "--early-stopping", "0"});
  EXPECT_TRUE(has(again.errors, "already finished")) << again.errors;
  const ProgramResult other = bare("run", {"--max-minutes", "0.2"});
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.errors, "--max-minutes 0.1")) << other.errors;
}

TEST_F(TrainDefaults, RefusesATimeInWhichNothingCanBeLearned) {
  const ProgramResult result = bare("run", {"--max-minutes", "0.001"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result.errors, "--max-minutes 0.001") && has(result.errors, "updates would fit"))
      << result.errors;
  EXPECT_FALSE(fs::exists(folder / "run"));
}

TEST_F(TrainDefaults, SaysWhatTheTextLacks) {
  folder.write("few.en", "one\ntwo\nthree\n");
  folder.write("few.de", "eins\nzwei\ndrei\n");
  const auto few = [&](const std::string& target) {
    return run_program({kGlossBinary, "train", "--source", folder / "few.en", "--target", folder / target,
                        "--output", folder / "few", "--fresh", "--max-updates", "2", "--width", "16",
                        "--feed-forward-width", "32", "--heads", "2"});
  };
  const ProgramResult three = few("few.de");
  EXPECT_EQ(three.status, 0) << three.errors;
  EXPECT_TRUE(has(three.errors, "3 pairs are too few") && has(three.errors, "3 lines are too few"))
      << three.errors;
  const ProgramResult same = few("few.en");
  EXPECT_TRUE(has(same.errors, "source and target are the same text")) << same.errors;
}

TEST_F(TrainDefaults, WarnsOfAValidationTextThatIsInTheTraining) {
  const ProgramResult result = bare("run", {"--max-updates", "2", "--valid-source", folder / "train.en",
                                            "--valid-target", folder / "train.de"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "1500 of 1500 source lines") && has(result.errors, "line 1 is line 1"))
      << result.errors;
}

}  // namespace
}  // namespace gloss
