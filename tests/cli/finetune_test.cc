// SPDX-License-Identifier: Apache-2.0
// gloss finetune through the real binary: the tasks, and errors.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/model_directory.h"
#include "pipeline/training/training_directory.h"
#include "tests/cli/pretrain_command.h"
#include "tests/support/has.h"
#include "tests/support/started_program.h"

namespace gloss {
namespace {

struct FinetuneCommand : PretrainCommand {
  std::vector<std::string> finetune_command(const std::string& from, const std::string& output,
                                            const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kGlossBinary,    "finetune", "--output",
                                   folder / output, "--model",  folder / from};
    const bool plain = std::ranges::count(more, "--input") > 0, tsv = std::ranges::count(more, "--tsv") > 0;
    const bool pairs = std::ranges::count(more, "--source") > 0;
    if (!plain && !tsv && !pairs) {
      words.insert(words.end(), {"--source", folder / "train.en", "--target", folder / "train.de"});
    }
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"--max-updates", "10"},
                                                          {"--batch-tokens", "200"},
                                                          {"--warmup-updates", "2"},
                                                          {"--schedule", "inverse_sqrt"},
                                                          {"--optimizer", "adam"},
                                                          {"--learning-rate", "0.0002"}}) {
      if (std::ranges::count(more, option) == 0) words.insert(words.end(), {option, value});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProgramResult finetune(const std::string& from, const std::string& output,
                         const std::vector<std::string>& more = {}) {
    return run_program(finetune_command(from, output, more));
  }
  Model model(const std::string& directory) { return read_model(folder / directory, Weights::copied); }
  static std::vector<float> values(const Model& model, const std::string& name) {
    for (const Parameters::Entry& entry : model.parameters->entries()) {
      if (entry.name == name) return {entry.tensor.values().begin(), entry.tensor.values().end()};
    }
    return {};
  }
  double cross_entropy(const std::string& directory) {
    const ProgramResult scored = gloss({"score", "-m", folder / directory, "--source", folder / "valid.en",
                                        "--target", folder / "valid.de", "--summary"});
    EXPECT_EQ(scored.status, 0) << scored.errors;
    return nlohmann::json::parse(scored.output)["cross_entropy"];
  }
};

TEST_F(FinetuneCommand, HelpOfATaskNamesTheDefaultTask) {
  for (const std::string command : {"finetune", "evaluate"}) {
    const ProgramResult help = gloss({command, "--task", "lm", "--help", "all"});
    EXPECT_EQ(help.status, 0) << help.errors;
    EXPECT_EQ(help.output.find("(default lm)"), std::string::npos) << help.output;
  }
}

TEST_F(FinetuneCommand, StartsFromTheWeightsOfAModel) {
  ASSERT_EQ(train("old", {"--max-updates", "60"}).status, 0);
  const ProgramResult made = finetune("old", "new", with_validation({"--max-updates", "1"}));
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_NE(made.errors.find("starts from " + (folder / "old/best") + ": "), std::string::npos)
      << made.errors;
  EXPECT_EQ(made.errors.find("initialisation of"), std::string::npos) << made.errors;
  EXPECT_NEAR(cross_entropy("new"), cross_entropy("old"), 0.05);
  EXPECT_EQ(read_file(folder / "new/best/tokenizer.model"), read_file(folder / "old/best/tokenizer.model"));
}

TEST_F(FinetuneCommand, ReportsWhatIsForgottenOfOldText) {
  ASSERT_EQ(train("old", {"--max-updates", "1"}).status, 0);
  const ProgramResult made =
      finetune("old", "new",
               with_validation({"--max-updates", "1", "--old-source", folder / "train.en", "--old-target",
                                folder / "train.de"}));
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_NE(made.errors.find("on the old text "), std::string::npos) << made.errors;
  EXPECT_NE(read_file(folder / "new/train.log.jsonl").find("\"old_bleu\":"), std::string::npos);
  expect_failure(
      finetune("old", "one",
               {"--no-hold-out", "--old-source", folder / "train.en", "--old-target", folder / "train.de"}),
      2, "--old-source");
  expect_failure(finetune("old", "two", with_validation({"--old-source", folder / "train.en"})), 2,
                 "--old-target");
}

TEST_F(FinetuneCommand, FreezesParametersAndAppliesLearningRatesOfParts) {
  ASSERT_EQ(train("old").status, 0);
  const auto distance = [&](const std::string& directory, const std::string& name) {
    const std::vector<float> before = values(model("old/best"), name),
                             now = values(model(directory + "/last"), name);
    double sum = 0;
    for (std::size_t i = 0; i < now.size(); ++i) sum += std::abs(static_cast<double>(now[i] - before[i]));
    return sum;
  };
  const std::string inner = "encoder.0.feed_forward.inner.weight",
                    outer = "decoder.0.feed_forward.inner.weight";
  ASSERT_EQ(finetune("old", "usual").status, 0);
  ASSERT_EQ(finetune("old", "slow", {"--learning-rates", "encoder=0.01", "--freeze", "embedding"}).status, 0);
  EXPECT_EQ(distance("slow", "embedding.weight"), 0);
  EXPECT_LT(distance("slow", inner), 0.05 * distance("usual", inner));
  EXPECT_GT(distance("slow", inner), 0);
  EXPECT_GT(distance("slow", outer), 0.5 * distance("usual", outer));
}

TEST_F(FinetuneCommand, AddsSymbols) {
  ASSERT_EQ(train("old").status, 0);
  const std::vector<float> old = values(model("old/best"), "embedding.weight");
  const std::vector<std::string> symbols{"--add-symbols", "<polite>", "zwanzig", "--freeze", "embedding"};
  const ProgramResult made = finetune("old", "new", symbols);
  ASSERT_EQ(made.status, 0) << made.errors;
  const std::vector<float> now = values(model("new/best"), "embedding.weight");
  ASSERT_EQ(now.size(), old.size() + 2 * 16);
  EXPECT_TRUE(std::equal(old.begin(), old.end(), now.begin())) << "old rows are bit-identical";
  const ProgramResult encoded =
      gloss({"encode", "--tokenizer", folder / "new/best/tokenizer.model"}, "<polite> eins zwanzig\n");
  EXPECT_NE(encoded.output.find("zwanzig"), std::string::npos) << encoded.output << encoded.errors;
  EXPECT_EQ(gloss({"translate", "-m", folder / "new"}, "<polite> one two\n").status, 0);
  expect_failure(finetune("new", "newer", {"--add-symbols", "<polite>"}), 2, "'<polite>'");
}

TEST_F(FinetuneCommand, WarnsOfCharactersThatTheVocabularyLacks) {
  ASSERT_EQ(train("old").status, 0);
  const std::vector<std::string> text{"--source", folder.write("new.en", "one\ntwo\n"), "--target",
                                      folder.write("new.de", "eins\nzw\xC3\xB8i\n"), "--no-hold-out"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = text;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const ProgramResult made = finetune("old", "new", with({}));
  ASSERT_EQ(made.status, 0) << made.errors;
  for (const std::string part : {"new.de", "1 token", "line 2", "--add-symbols"})
    EXPECT_TRUE(has(made.errors, part)) << part << "\n" << made.errors;
  EXPECT_FALSE(has(finetune("old", "newer", with({"--add-symbols", "\xC3\xB8"})).errors, "line 2"));
}

TEST_F(FinetuneCommand, KilledAndContinuedGivesTheSameBytes) {
  ASSERT_EQ(train("old").status, 0);
  const auto until = [&](std::int64_t updates) {
    return with_validation({"--save-minutes", "0", "--add-symbols", "<x>", "--learning-rates", "encoder=0.5",
                            "--bpe-dropout", "0.1", "--max-updates", std::to_string(updates)});
  };
  for (int kill = 0; kill < 3; ++kill) {
    StartedProgram endless(finetune_command("old", "killed", until(1'000'000)), folder / "errors");
    const std::size_t known = list_checkpoints(folder / "killed").size();
    while (endless.runs() && list_checkpoints(folder / "killed").size() == known && known == 0) usleep(2000);
    usleep(static_cast<useconds_t>(20'000 * (kill + 1)));
    EXPECT_TRUE(endless.runs()) << folder.read("errors");
    endless.send(SIGKILL);
    endless.wait();
  }
  const std::int64_t end = list_checkpoints(folder / "killed").back().update + 3;
  std::filesystem::copy(
      folder / "old", folder / "other",
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
  expect_failure(finetune("other", "killed", until(end)), 2, "--model");  // the recorded one is still there
  // The starting model may move.
  std::filesystem::rename(folder / "old", folder / "moved");
  ASSERT_EQ(finetune("moved", "killed", until(end)).status, 0);
  ASSERT_EQ(finetune("moved", "whole", until(end)).status, 0);
  for (const std::string file :
       {"model.safetensors", "optimizer.safetensors", "training.json", "tokenizer.model"}) {
    EXPECT_EQ(read_file(folder / ("killed/last/" + file)), read_file(folder / ("whole/last/" + file)))
        << file;
  }
  expect_failure(train("killed"), 2, "was started with --");
}

TEST_F(FinetuneCommand, ContinuesTrainingsOfOlderVersions) {
  ASSERT_EQ(train("old").status, 0);
  ASSERT_EQ(train("other").status, 0);
  ASSERT_EQ(finetune("old", "new", {"--max-updates", "1"}).status, 0);
  auto config = nlohmann::json::parse(folder.read("new/last/config.json"));
  config["training"]["from"] = config["training"]["model"];
  config["training"].erase("model");
  folder.write("new/last/config.json", config.dump());
  expect_failure(finetune("other", "new", {"--max-updates", "2"}), 2, "--model");
  EXPECT_EQ(finetune("old", "new", {"--max-updates", "2"}).status, 0);
}

TEST_F(FinetuneCommand, FineTunesLanguageModels) {
  ASSERT_EQ(pretrain("old").status, 0);
  const ProgramResult made = finetune(
      "old", "new",
      {"--task", "lm", "--input", folder / "valid.en", folder / "train.en", "--corpus-weights", "4", "0.5"});
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_EQ(gloss({"generate", "-m", folder / "new"}, "one\n").status, 0);
  const ProgramResult without_task = finetune("old", "no");
  expect_failure(without_task, 3, "is a language model");
  expect_failure(without_task, 3, "--task lm");
  expect_failure(
      gloss({"finetune", "-m", folder / "old", "--input", folder / "train.en", "-o", folder / "no"}), 2,
      "--task lm");
  ASSERT_EQ(train("translation").status, 0);
  expect_failure(finetune("translation", "no", {"--task", "lm", "--input", folder / "train.en"}), 3,
                 "expected a language model");
}

TEST_F(FinetuneCommand, RefusesOtherMixersBeforeTheirSettings) {
  ASSERT_EQ(train("old", {"--max-updates", "1"}).status, 0);
  const ProgramResult mixers =
      finetune("old", "new", {"--encoder-mixers", "local", "--attention-window", "4"});
  expect_failure(mixers, 2, "--encoder-mixers is local");
  expect_failure(finetune("old", "new", {"--attention-window", "4"}), 2, "--attention-window");
}

TEST_F(FinetuneCommand, AnEncoderAndADecoderBecomeATranslationModel) {
  const std::vector<std::string> vocabulary{"--tokenizer", folder / "both.model", "--vocab-size", "60"};
  ASSERT_EQ(gloss({"vocab", "--input", folder / "train.en", folder / "train.de", "--size", "60", "--output",
                   folder / "both.model"})
                .status,
            0);
  ASSERT_EQ(pretrain("encoder", {"--objective", "mlm", "--tokenizer", folder / "both.model"}).status, 0);
  ASSERT_EQ(
      pretrain("decoder", {"--tokenizer", folder / "both.model", "--input", folder / "train.de"}).status, 0);
  std::vector<std::string> words = finetune_command("encoder", "new");
  *std::ranges::find(words, "--model") = "--from-encoder";
  words.insert(words.end(), {"--from-decoder", folder / "decoder"});
  const ProgramResult made = run_program(words);
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_NE(made.errors.find("initialisation of decoder.0.cross_attention"), std::string::npos)
      << made.errors;
  EXPECT_EQ(gloss({"translate", "-m", folder / "new"}, "one two\n").status, 0);
}

TEST_F(FinetuneCommand, DenoisingModelsLearnToTranslate) {
  const std::vector<std::string> denoise{"--objective",
                                         "denoise",
                                         "--input",
                                         folder / "train.en",
                                         folder / "train.de",
                                         "--languages",
                                         "en",
                                         "de",
                                         "--document",
                                         "line",
                                         "--valid-input",
                                         folder / "valid.de",
                                         "--valid-language",
                                         "de",
                                         "--valid-interval",
                                         "20"};
  const ProgramResult made = pretrain("old", denoise);
  ASSERT_EQ(made.status, 0) << made.errors;
  const std::string symbols =
      gloss({"encode", "--tokenizer", folder / "old/best/tokenizer.model"}, "<de> eins\n").output;
  EXPECT_NE(symbols.find("<de>"), std::string::npos) << symbols;
  const ProgramResult translating = finetune("old", "new", with_validation());
  ASSERT_EQ(translating.status, 0) << translating.errors;
  EXPECT_EQ(translating.errors.find("initialisation of"), std::string::npos) << translating.errors;
  // The mask is not a piece and loses its row.
  EXPECT_EQ(values(model("new/best"), "embedding.weight").size() + 16,
            values(model("old/best"), "embedding.weight").size());
  EXPECT_EQ(gloss({"translate", "-m", folder / "new"}, "one two\n").status, 0);
  ASSERT_EQ(
      finetune("old", "more", {"--task", "denoise", "--input", folder / "train.en", "--languages", "en"})
          .status,
      0);
}

TEST_F(FinetuneCommand, DenoisingContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return pretrain(of...); },
                        {"--objective", "denoise", "--input", folder / "train.en", folder / "valid.de",
                         "--languages", "en", "de", "--language-temperature", "2", "--token-mask-rate", "0.1",
                         "--deletion-rate", "0.1", "--shuffle-window", "100"},
                        {"5", "14"});
}

TEST_F(FinetuneCommand, PretrainingRefusesInvalidLanguagesAndNoise) {
  const auto refuse = [&](const std::vector<std::string>& more, const std::string& message) {
    expect_failure(pretrain("no", more), 2, message);
  };
  refuse({"--languages", "en"}, "for --objective denoise");
  refuse({"--infill-rate", "0.5"}, "for --objective denoise");
  refuse({"--objective", "denoise", "--languages", "en", "de"}, "--languages: found 2 for 1");
  refuse({"--objective", "denoise", "--languages", "<en>"}, "found '<en>'");
  refuse({"--objective", "denoise", "--language-temperature", "2"}, "give --languages");
  refuse({"--objective", "denoise", "--languages", "en", "--valid-input", folder / "valid.de",
          "--valid-language", "de"},
         "--valid-language is de");
}

TEST_F(FinetuneCommand, RefusesSettingsThatContradictTheModel) {
  ASSERT_EQ(train("old").status, 0);
  ASSERT_EQ(
      gloss({"vocab", "--input", folder / "train.en", "--size", "50", "--output", folder / "other.model"})
          .status,
      0);
  const auto refuse = [&](const std::vector<std::string>& more, const std::string& message) {
    expect_failure(finetune("old", "no", more), 2, message);
    EXPECT_FALSE(std::filesystem::exists(folder / "no/last")) << message;
  };
  refuse({"--tokenizer", folder / "other.model"}, "has 50 pieces");
  refuse({"--width", "32"}, "--width is 32, but 16 in");
  refuse({"--normalization", "nfkc"}, "--normalization is nfkc, but nfc in");
  refuse({"--learning-rates", "encodr=0.1"}, "did you mean 'encoder'?");
  refuse({"--learning-rates", "encoder=fast"}, "expected NAME=FACTOR");
  refuse({"--learning-rates", "encoder=2", "--freeze", "encoder"},
         "the network learns no parameter of that name");
  refuse({"--add-symbols", "one two"}, "'one two'");
  refuse({"--add-symbols", "e\xCC\x81"}, "normalisation of text changes");
  refuse({"--task", "lm"}, "unknown option '--source'");
  refuse({"--task", "paint"}, "'paint'");
  expect_failure(finetune("old", "old"), 2, "--output");
  expect_failure(finetune("nothing", "no"), 3, "nothing does not exist");
  for (const std::string spelling : {"-m", "--model", "--from"}) {
    expect_failure(gloss({"finetune", spelling, folder / "nothing", "--source", folder / "train.en",
                          "--target", folder / "train.de", "-o", folder / "no"}),
                   3, "nothing does not exist");
  }
  expect_failure(run_program({kGlossBinary, "finetune", "--source", folder / "train.en", "--target",
                              folder / "train.de", "-o", folder / "no"}),
                 2, "--model DIR");
  const std::string from = folder.write("from.ini", concat("from = ", folder / "nothing", "\n"));
  expect_failure(gloss({"finetune", "--config", from, "--source", folder / "train.en", "--target",
                        folder / "train.de", "-o", folder / "no"}),
                 3, "nothing does not exist");
  const std::string config = folder.write("finetune.ini", "task = lm\n");
  expect_failure(gloss({"finetune", "--config", config, "--model", folder / "old", "--input",
                        folder / "train.en", "-o", folder / "no"}),
                 3, "expected a language model");
}

}  // namespace
}  // namespace gloss
