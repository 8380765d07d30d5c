// SPDX-License-Identifier: Apache-2.0
// For options of other programs, the error names the option of gloss.
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/support/run_program.h"

namespace gloss {
namespace {

TEST(ForeignOptions, SuggestTheOptionsOfGloss) {
  struct Case {
    std::string command, option, answer;
  };
  for (const auto& [command, option, answer] :
       std::vector<Case>{{"train", "--train-sets", "--source"},
                         {"train", "--valid-sets", "--valid-source"},
                         {"train", "--vocabs", "--tokenizer"},
                         {"train", "--lr", "--learning-rate"},
                         {"train", "--warmup", "--warmup-updates"},
                         {"train", "--mini-batch", "--batch-tokens"},
                         {"train", "--mini-batch-words", "--batch-tokens"},
                         {"train", "--save-dir", "--output"},
                         {"train", "--max-update", "--max-updates"},
                         {"train", "--max-epoch", "--max-epochs"},
                         {"train", "--optimizer", "Adam"},
                         {"train", "--arch", "--preset"},
                         {"train", "--fp16", "--precision"},
                         {"train", "-d", "--threads"},
                         {"pretrain", "--gpus", "--threads"},
                         {"finetune", "--restore-file", "--from"},
                         {"translate", "--lenpen", "--length-penalty"},
                         {"translate", "--normalize", "--length-penalty"},
                         {"translate", "--beam", "--beam-size"},
                         {"translate", "--compute_type", "--precision"},
                         {"translate", "--src", "--input"},
                         {"translate", "--gpu", "CPU"},
                         {"translate", "--cpu-threads", "--threads"},
                         {"translate", "--inter_threads", "--threads"},
                         {"translate", "--maxi-batch", "--batch-tokens"},
                         {"translate", "--quiet-translation", "--quiet"},
                         {"translate", "--devices", "CPU"},
                         {"evaluate", "-t", "test sets"},
                         {"evaluate", "--test-set", "test sets"},
                         {"evaluate", "--list", "test sets"},
                         {"evaluate", "--echo", "test sets"},
                         {"evaluate", "--cite", "sacreBLEU"},
                         {"vocab", "--vocab_size", "--size"},
                         {"vocab", "--model_type", "--type"},
                         {"vocab", "--character_coverage", "--character-coverage"},
                         {"decode", "--input_format", "--input-type"},
                         {"average", "--inputs", "--last"}}) {
    for (const std::string& spelling : {option, option.starts_with("--") ? option + "=1" : option}) {
      const ProgramResult result = run_program({kGlossBinary, command, spelling, "1"});
      EXPECT_EQ(result.status, 2) << command << " " << spelling;
      EXPECT_NE(result.errors.find("'" + option + "'"), std::string::npos) << result.errors;
      EXPECT_NE(result.errors.find(answer), std::string::npos) << result.errors;
    }
  }
}

TEST(ForeignOptions, GetNoSuggestionInOtherCommands) {
  const ProgramResult result = run_program({kGlossBinary, "vocab", "--lenpen", "1"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.errors.find("--length-penalty"), std::string::npos) << result.errors;
}

TEST(ForeignOptions, MaxTokensOfFairseqIsNotTheEndOfATraining) {
  for (const std::string command : {"train", "pretrain", "finetune"}) {
    const ProgramResult result =
        run_program({kGlossBinary, command, "--max-tokens", "4096", "--output", "x"});
    EXPECT_EQ(result.status, 2) << command;
    for (const std::string part : {"--max-tokens 4096", "--batch-tokens", "--max-updates"}) {
      EXPECT_NE(result.errors.find(part), std::string::npos) << command << ": " << result.errors;
    }
  }
}

}  // namespace
}  // namespace gloss
