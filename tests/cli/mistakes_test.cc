// SPDX-License-Identifier: Apache-2.0
// What the program says to likely mistakes.
#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/cli/train_command.h"
#include "tests/support/has.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

ProgramResult run(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), kGlossBinary);
  return run_program(arguments, input);
}

using Mistakes = UntrainedModels;

TEST_F(Mistakes, CommandsOfOtherProgramsAreNamedAsHere) {
  const std::pair<const char*, const char*> cases[] = {
      {"bleu", "'evaluate'"},           {"sacrebleu", "'evaluate'"}, {"spm_train", "'vocab'"},
      {"spm_encode", "'encode'"},       {"convert", "'import'"},     {"trian", "'train'"},
      {"marian-decoder", "'translate'"}};
  for (const auto& [name, command] : cases) {
    const ProgramResult result = run({name});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.errors, command)) << result.errors;
  }
}

TEST_F(Mistakes, AWordAfterAListOfNumbersIsAFile) {
  const std::string model = *folder / "a", text = folder->write("s.en", "a\n"),
                    year = folder->write("2024.en", "a\n");
  const std::string answer = run({"translate", "-m", model, text}).output;
  for (const std::string& file : {text, year}) {
    const ProgramResult result = run({"translate", "-m", model, "--ensemble-weights", "1", file});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, answer);
  }
  const ProgramResult wrong = run({"translate", "-m", model, "--ensemble-weights", "1", "2x"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.errors, "'2x'")) << wrong.errors;
}

TEST_F(Mistakes, AClosedStandardInputIsNoEmptyText) {
  const std::string command = concat("exec ", kGlossBinary, " translate -m ", *folder / "a");
  const ProgramResult closed = run_program({"/bin/sh", "-c", command + " <&-"});
  EXPECT_EQ(closed.status, 3);
  EXPECT_TRUE(has(closed.errors, "standard input is closed")) << closed.errors;
  EXPECT_EQ(run_program({"/bin/sh", "-c", command + " < /dev/null"}).status, 0);
  const std::string text = folder->write("text", "a\n");
  EXPECT_EQ(run_program({"/bin/sh", "-c", concat(command, " ", text, " <&-")}).status, 0);
}

TEST_F(Mistakes, TheModelOfInfoMayBeAPlainArgument) {
  const std::string model = *folder / "a";
  const ProgramResult plain = run({"info", model});
  EXPECT_EQ(plain.status, 0) << plain.errors;
  EXPECT_EQ(plain.output, run({"info", "-m", model}).output);
  const ProgramResult both = run({"info", "-m", model, *folder / "b"});
  EXPECT_EQ(both.status, 2);
  EXPECT_TRUE(has(both.errors, model) && has(both.errors, *folder / "b")) << both.errors;
}

TEST_F(Mistakes, RoundedWeightsAreNoted) {
  const std::string model = *folder / "a", small = *folder / "int8";
  ASSERT_EQ(run({"quantize", "-m", model, "-o", small}).status, 0);
  const ProgramResult mean = run({"average", model, small, "-o", *folder / "mean"});
  EXPECT_EQ(mean.status, 0) << mean.errors;
  EXPECT_TRUE(has(mean.errors, small + " is stored in bf16, int8 or int4")) << mean.errors;
  const std::string text = folder->write("pairs", "a cat\ta cat\n");
  const auto tuned = [&](const std::string& from, const std::string& output) {
    return run({"finetune", "-m", from, "--tsv", text, "-o", *folder / output, "--max-updates", "1"}).errors;
  };
  const std::string errors = tuned(small, "tuned");
  EXPECT_TRUE(has(errors, small + " is stored in bf16, int8 or int4")) << errors;
  EXPECT_FALSE(has(tuned(model, "tuned2"), "int8"));
}

TEST_F(Mistakes, APlainArgumentIsAnsweredWithItsOption) {
  const std::string text = folder->write("text", "a\n");
  const ProgramResult vocab = run({"vocab", text});
  EXPECT_EQ(vocab.status, 2);
  EXPECT_TRUE(has(vocab.errors, "--input " + text)) << vocab.errors;
}

TEST_F(Mistakes, ARepeatedOptionIsNamedAsTyped) {
  const std::string model = *folder / "a";
  EXPECT_TRUE(
      has(run({"translate", "-m", model, "-o", "x", "-o", "y"}).errors, ": -o is given more than once"));
  EXPECT_TRUE(has(run({"translate", "-m", model, "--beam-size=2", "--beam-size", "3"}).errors,
                  ": --beam-size is given more than once"));
}

TEST_F(Mistakes, AModelOfAnotherKindIsAnInvalidInput) {
  const ProgramResult result = run({"generate", "-m", *folder / "a"}, "a\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, "translation model") && has(result.errors, "gloss pretrain"))
      << result.errors;
}

TEST_F(Mistakes, TextInsteadOfATokenizerIsRecognised) {
  const ProgramResult text = run({"encode", "-t", folder->write("text", "some words\nmore words\n")}, "a\n");
  EXPECT_EQ(text.status, 3);
  EXPECT_TRUE(has(text.errors, "text file") && !has(text.errors, "damaged")) << text.errors;
  const ProgramResult list =
      run({"encode", "-t", folder->write("bpe.vocab", "<unk>\t0\n<s>\t0\nthe\t-3.25\n")}, "a\n");
  EXPECT_EQ(list.status, 3);
  EXPECT_TRUE(has(list.errors, "list of pieces") && has(list.errors, "bpe.model")) << list.errors;
}

TEST_F(Mistakes, ATruncatedModelIsCalledSo) {
  const std::string cut = *folder / "cut";
  std::filesystem::copy(*folder / "a", cut);
  const std::string weights = cut + "/model.safetensors";
  const auto size = std::filesystem::file_size(weights);
  std::filesystem::resize_file(weights, size - 1000);
  const ProgramResult result = run({"info", "-m", cut});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, "truncated") && !has(result.errors, "data offset")) << result.errors;
}

TEST_F(Mistakes, AMessageDoesNotQuoteAWholeFile) {
  const std::string broken = *folder / "broken";
  std::filesystem::copy(*folder / "a", broken);
  write_file(broken + "/config.json", "{\"format\": \"" + std::string(5'000'000, 'x'));
  const ProgramResult result = run({"info", "-m", broken});
  EXPECT_EQ(result.status, 3);
  EXPECT_LT(result.errors.size(), 6000u);
  EXPECT_TRUE(has(result.errors, "config.json")) << result.errors;
}

TEST_F(Mistakes, TheClosingNoteCountsLinesWithProblems) {
  const std::string text = "a\n\na \xff c\naz\n" + std::string(400, 'a') + "\n";
  const ProgramResult result = run({"translate", "-m", *folder / "a", "--max-source-tokens", "50"}, text);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "5 lines") && has(result.errors, "1 cut, 1 empty, 1 with invalid UTF-8, ") &&
              has(result.errors, "2 with unknown pieces"))
      << result.errors;  // U+FFFD and z
  const ProgramResult one = run({"translate", "-m", *folder / "a"}, "a\n");
  EXPECT_TRUE(has(one.errors, ": 1 line, 2 tokens translated")) << one.errors;
}

TEST_F(TrainCommand, OptionsThatCannotWorkAreRefusedBeforeTheTextIsRead) {
  const ProgramResult rates = train("run", {"--learning-rates", "encoder:0.1"});
  EXPECT_EQ(rates.status, 2);
  EXPECT_TRUE(has(rates.errors, "'encoder:0.1'") && !has(rates.errors, "pairs")) << rates.errors;
}

TEST_F(TrainCommand, WarnsOfOptionsOfValidationWithoutAText) {
  const ProgramResult result = train("run", {"--valid-beam-size", "3"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "--valid-beam-size has no effect")) << result.errors;
  const ProgramResult used = train("used", with_validation({"--valid-beam-size", "3"}));
  EXPECT_FALSE(has(used.errors, "no effect")) << used.errors;
}

TEST_F(TrainCommand, AFinishedLinearScheduleCannotGoOn) {
  const std::vector<std::string> linear{"--schedule", "linear"};
  ASSERT_EQ(train("run", linear).status, 0);
  const ProgramResult again = train("run", linear);
  EXPECT_TRUE(has(again.errors, "already finished") && has(again.errors, "finetune --model") &&
              !has(again.errors, "raise"))
      << again.errors;
}

TEST_F(TrainCommand, ADamagedCheckpointIsReplacedByTheOneBefore) {
  ASSERT_EQ(train("run", {"--valid-interval", "10", "--keep-checkpoints", "3"}).status, 0);
  const std::string last = folder / "run/checkpoint-000030";
  std::filesystem::resize_file(last + "/model.safetensors", 100);
  const ProgramResult damaged = train("run", {"--valid-interval", "10", "--max-updates", "40"});
  EXPECT_EQ(damaged.status, 3);
  EXPECT_TRUE(has(damaged.errors, "move the directory " + last) && has(damaged.errors, "update 20"))
      << damaged.errors;
  std::filesystem::remove_all(last);
  const ProgramResult continued = train("run", {"--valid-interval", "10", "--max-updates", "40"});
  EXPECT_EQ(continued.status, 0) << continued.errors;
  EXPECT_TRUE(has(continued.errors, "after update 20")) << continued.errors;
}

TEST_F(TrainCommand, AverageSaysIfThereAreFewerCheckpointsThanAskedFor) {
  ASSERT_EQ(train("run", {"--valid-interval", "10"}).status, 0);
  const ProgramResult fewer = run({"average", folder / "run", "-o", folder / "mean", "--last", "20"});
  EXPECT_EQ(fewer.status, 0) << fewer.errors;
  EXPECT_TRUE(has(fewer.errors, "has only 3 checkpoints") && has(fewer.errors, "--last 20")) << fewer.errors;
  const ProgramResult enough = run({"average", folder / "run", "-o", folder / "mean2", "--last", "2"});
  EXPECT_FALSE(has(enough.errors, "has only")) << enough.errors;
}

}  // namespace
}  // namespace gloss
