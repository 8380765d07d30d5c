// SPDX-License-Identifier: Apache-2.0
// What the program says to mistyped, misplaced and misunderstood options.
#include "tests/cli/refused_commands.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;
using OptionMistakes = RefusedCommands;

TEST_F(OptionMistakes, AMistypedOptionOfEveryCommandIsRecognised) {
  for (const char* command : {"vocab",    "encode",   "decode",    "train", "pretrain",  "finetune", "plot",
                              "average",  "quantize", "shortlist", "info",  "translate", "generate", "fill",
                              "classify", "embed",    "align",     "score", "evaluate",  "compare"}) {
    EXPECT_TRUE(has(refusal({command, "--cnofig", "x"}), "'--config'")) << command;
    EXPECT_TRUE(has(refusal({command, "--QUIET"}), "'--quiet'")) << command;
  }
}

TEST_F(OptionMistakes, CapitalsUnderscoresAndASingleHyphenAreRecognised) {
  for (const char* typed : {"--BEAM-SIZE", "--beam_size", "--Beam_Size", "-beam_size", "-beam-size"}) {
    const std::string errors = refusal({"translate", typed, "4"});
    EXPECT_TRUE(has(errors, concat("'", typed, "'")) && has(errors, "'--beam-size'")) << errors;
  }
  EXPECT_TRUE(has(refusal({"info", "-model", "x"}), "'--model'"));
  EXPECT_TRUE(has(refusal({"translate", "-beam=3"}), "--beam-size"));
  EXPECT_TRUE(has(refusal({"translate", "-no_quiet"}), "'--no-quiet'"));
  EXPECT_TRUE(has(refusal({"evaluate", "--lc"}), "'-lc'"));
  EXPECT_TRUE(has(refusal({"TRANSLATE"}), "'translate'"));
}

// Options of other programs are known, too, but are no options of this one.
TEST_F(OptionMistakes, OnlyOptionsThatExistAreSuggested) {
  for (const std::string& errors :
       {refusal({"translate", "--beem", "4"}), refusal({"generate", "--bem", "4"}),
        refusal({"translate", "--config", folder.write("bem", "bem = 4\n")})}) {
    EXPECT_TRUE(has(errors, "--beam-size") && !has(errors, "beam'")) << errors;
  }
  const std::string none = refusal({"translate", "--verbos"});
  EXPECT_TRUE(has(none, "--quiet") && !has(none, "verbose")) << none;
}

TEST_F(OptionMistakes, AnOptionOfOtherCommandsIsOneOfThose) {
  const std::string beam = refusal({"score", "--beam-size", "4"});
  EXPECT_TRUE(has(beam, "gloss translate and gloss generate")) << beam;
  const std::string shard = refusal({"evaluate", "--shard", "1/2"});
  EXPECT_TRUE(has(shard, "gloss clean") && has(shard, "other commands")) << shard;
  const std::string task = refusal({"finetune", "--task", "lm", "--source", "x"});
  EXPECT_TRUE(has(task, "gloss finetune --task translate") && !has(task, "gloss train")) << task;
}

TEST_F(OptionMistakes, ASettingsFileIsAnsweredInItsSpelling) {
  const std::string mistyped =
      refusal({"translate", "--config", folder.write("mistyped", "beam_sise = 3\n")});
  EXPECT_TRUE(has(mistyped, "mistyped:1: ") && has(mistyped, "'beam-size'")) << mistyped;
  const std::string off = refusal({"train", "--config", folder.write("off", "no-valid-bleu = true\n")});
  EXPECT_TRUE(has(off, "'valid-bleu = false'")) << off;
}

TEST_F(OptionMistakes, MessagesNameTheLineOfASettingsFile) {
  const std::pair<const char*, std::vector<const char*>> cases[] = {
      {"beam-size = 2\n\n# comment\n[translation]\nseed = 1\n", {":4: ", "[translation]", "no sections"}},
      {"beam-size = 2\nconfig = other\n", {":2: ", "config"}},
      {"\nbeam_size = x\n", {":2: --beam-size", "'x'"}},
      {"beam-size = 2\n\nbeam-size = 3\n", {":3: beam-size", "more than once"}},
      {"\n\nwords\n", {":3: ", "'words'", "name = value"}}};
  for (const auto& [content, found] : cases) {
    const std::string errors = refusal({"translate", "--config", folder.write("settings", content)});
    for (const char* const part : found) EXPECT_TRUE(has(errors, part)) << part << " in " << errors;
  }
}

TEST_F(OptionMistakes, AListInASettingsFileHasALineForEachValue) {
  const std::string settings =
      folder.write("lists", "metrics = bleu\nmetrics = chrf\ninput = " + text + "\n");
  const ProgramResult result = run_program({kGlossBinary, "evaluate", text, "--config", settings});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "BLEU") && has(result.output, "chrF2")) << result.output;
}

TEST_F(OptionMistakes, SeveralValuesOnALineOfASettingsFileAreAnsweredWithItsPlace) {
  const std::string both = concat(text, " ", more), quoted = concat('"', text, '"');
  const std::pair<Words, std::vector<std::string>> cases[] = {
      {{"translate", "quiet = true\nensemble-weights = 2 1\n"}, {":2: --ensemble-weights", "'2 1'"}},
      {{"train", "corpus_weights = 1 2\n"}, {":1: --corpus-weights", "'1 2'"}},
      {{"translate", concat("model = ", model, " ", model, "\n")}, {":1: --model", "'model = ...'"}},
      {{"train", concat("source = ", both, "\n")}, {":1: --source", both, "'source = ...'"}},
      {{"train", concat("\nsource = ", quoted, "\n")}, {":2: --source", quoted, "quotes"}},
      {{"train", "preset = \"tiny\"\n"}, {":1: --preset", "\"tiny\"", "quotes"}}};
  for (const auto& [given, found] : cases) {
    const std::string errors = refusal({given[0], "--config", folder.write("lists", given[1])});
    for (const std::string& part : found) EXPECT_TRUE(has(errors, part)) << part << " in " << errors;
  }
  const std::string spaced = folder.write("a b", "a\n");  // one name
  const ProgramResult result = run_program(
      {kGlossBinary, "evaluate", spaced, "--config", folder.write("one", concat("input = ", spaced, "\n"))});
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(OptionMistakes, SwitchesOfOneLetterCanBeJoined) {
  const auto scored = [&](Words words) {
    words.insert(words.begin(), {kGlossBinary, "evaluate", text, "-i", text});
    return run_program(words);
  };
  const std::string score = scored({"-b", "-q", "-m", "chrf", "-w", "3"}).output;
  EXPECT_EQ(score, "100.000\n");
  EXPECT_EQ(scored({"-bqw3", "-m", "chrf"}).output, score);
  EXPECT_EQ(scored({"-w3", "-qbm", "chrf"}).output, score);
  EXPECT_TRUE(has(scored({"-bleu"}).errors, "--metrics"));  // not -b -l eu
  EXPECT_TRUE(has(scored({"-qx"}).errors, "unknown option '-qx'"));
}

TEST_F(OptionMistakes, AnOptionOfOthersMayBeMistyped) {
  EXPECT_TRUE(has(refusal({"translate", "--beem", "3"}), "--beam-size"));
}

TEST_F(OptionMistakes, WhatIsSwitchedOffIsNamedAsTyped) {
  const std::string errors = refusal({"train", "--architecture", "transformer", "--no-bidirectional",
                                      "--source", text, "--target", text, "-o", folder / "run"});
  EXPECT_TRUE(has(errors, "--no-bidirectional has no effect")) << errors;
  const std::string quiet = refusal({"translate", "--quiet", "--no-quiet"});
  EXPECT_TRUE(has(quiet, "--quiet and --no-quiet")) << quiet;
}

TEST_F(OptionMistakes, AnOptionInThePlaceOfACommandIsAnswered) {
  EXPECT_TRUE(has(refusal({"--verison"}), "'--version'"));
  EXPECT_TRUE(has(refusal({"-v"}), "'--version'"));
  EXPECT_TRUE(has(refusal({"--threads", "1", "train"}), "gloss COMMAND [OPTION...]"));
  EXPECT_TRUE(has(refusal({"help", "--generate"}), "--generate DIR"));
  for (const char* const word : {"help", "--help"}) {
    EXPECT_EQ(run_program({kGlossBinary, "help", word}).output, run_program({kGlossBinary, "help"}).output);
  }
}

TEST_F(OptionMistakes, AMissingNameIsAnsweredWithTheNames) {
  const std::string errors = refusal({"translate", "-m", model, "--alignment"});
  EXPECT_TRUE(has(errors, "--alignment needs a value") && has(errors, "hard, soft")) << errors;
}

TEST_F(OptionMistakes, SuggestionsNameOptionsOfGloss) {
  const std::string unknown = refusal({"train", "--lag", "x"});
  EXPECT_FALSE(has(unknown, "--trg")) << unknown;
  for (const char* const log : {"--log", "--log-file", "--valid-log"}) {
    EXPECT_TRUE(has(refusal({"train", log, "x"}), "train.log.jsonl")) << log;
  }
  EXPECT_TRUE(has(refusal({"train", "--learning-rate", "0"}), "--learning-rate: found '0'"));
}

TEST_F(OptionMistakes, HelpIsOfOneCommand) {
  const std::string errors = refusal({"help", "translate", "train"});
  EXPECT_TRUE(has(errors, "'gloss help translate'") && has(errors, "'gloss help train'")) << errors;
  EXPECT_EQ(run_program({kGlossBinary, "help", "train", "vocab"}).status, 0);  // a group of options
}

TEST_F(OptionMistakes, OptionsOfAMissingReportAreRefused) {
  for (const Words& option : {Words{"--source", text}, Words{"--title", "x"}}) {
    Words words{"compare", text, more, text};
    words.insert(words.end(), option.begin(), option.end());
    const std::string errors = refusal(words);
    EXPECT_TRUE(has(errors, option[0] + " has no effect") && has(errors, "--html")) << errors;
  }
}

TEST_F(OptionMistakes, OptionsOfMissingStatisticsAreNoted) {
  const Words base{kGlossBinary, "evaluate", text, "-i", text};
  const std::string cases[][2] = {{"--paired-bs-n", "--paired-bs"},
                                  {"--paired-ar-n", "--paired-ar"},
                                  {"--confidence-n", "--confidence"},
                                  {"--seed", "--confidence"}};
  for (const auto& [option, needed] : cases) {
    Words words = base;
    words.insert(words.end(), {option, "10"});
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, option + " has no effect without " + needed)) << result.errors;
  }
  Words documents = base;
  documents.insert(documents.end(), {"--documents", text});
  EXPECT_TRUE(has(run_program(documents).errors, "--documents has no effect without --confidence"));
  Words used = base;
  used.insert(used.end(), {"--confidence", "--confidence-n", "10", "--seed", "1", "--documents", text});
  EXPECT_FALSE(has(run_program(used).errors, "no effect"));
}

TEST_F(OptionMistakes, SwitchesAreSwitchedOffByNo) {
  const std::string settings = folder.write("settings", "score-only = true\n");
  const auto printed = [&](Words words) {
    words.insert(words.begin(), {kGlossBinary, "evaluate", text, "-i", text, "--config", settings});
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  EXPECT_FALSE(has(printed({}), "signature"));
  EXPECT_TRUE(has(printed({"--no-score-only"}), "signature"));
  EXPECT_TRUE(has(printed({"--score-only=false"}), "signature"));
  const std::string mistyped = refusal({"train", "--no-valid-blue"});
  EXPECT_TRUE(has(mistyped, "'--no-valid-bleu'")) << mistyped;
  const std::string valued = refusal({"train", "--no-source"});
  EXPECT_TRUE(has(valued, "--source takes a value") && !has(valued, "gloss train;")) << valued;
  EXPECT_TRUE(has(refusal({"train", "--config", folder.write("valued", "no-source = true\n")}),
                  ": source takes a value"));
  for (const Words& words :
       {Words{"train", "--no-valid-bleu", "true"}, Words{"translate", "--no-quiet", "false"},
        Words{"evaluate", text, "--no-score-only", "true"}}) {
    const std::string errors = refusal(words);
    EXPECT_TRUE(has(errors, "takes no value") && !has(errors, "option of")) << errors;
  }
  const std::string elsewhere = refusal({"score", "--no-sample"});
  EXPECT_TRUE(has(elsewhere, "gloss translate and gloss generate")) << elsewhere;
  EXPECT_FALSE(has(refusal({"score", "--no-beam-size"}), "option of"));
  const std::string twice = refusal({"train", "--valid-bleu", "--no-valid-bleu"});
  EXPECT_TRUE(has(twice, "--valid-bleu and --no-valid-bleu exclude each other")) << twice;
}

}  // namespace
}  // namespace gloss
