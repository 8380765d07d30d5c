// SPDX-License-Identifier: Apache-2.0
// For options of other programs, the error names the option of gloss.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "base/lines.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// What the program says to `gloss COMMAND OPTION 1`.
std::string answer_to(const std::string& command, const std::string& option) {
  const ProgramResult result = run_program({kGlossBinary, command, option, "1"});
  EXPECT_EQ(result.status, 2) << command << " " << option;
  return result.errors;
}

/// An option and what the answer contains.
struct ForeignOptionCase {
  std::string command, option, answer;
};

std::vector<ForeignOptionCase> cases() {
  return {{"train", "--train-sets", "--source"},
          {"train", "-train_src", "--source"},
          {"train", "--valid-sets", "--valid-source"},
          {"train", "--dev", "--valid-target"},
          {"train", "--vocabs", "--tokenizer"},
          {"train", "--lr", "--learning-rate"},
          {"train", "--warmup", "--warmup-updates"},
          {"train", "--mini-batch", "--batch-tokens"},
          {"train", "--mini-batch-words", "--batch-tokens"},
          {"train", "--save-dir", "--output"},
          {"train", "--max-update", "--max-updates"},
          {"train", "--max-epoch", "--max-epochs"},
          {"train", "--adam-betas", "--beta1"},
          {"train", "--arch", "--preset"},
          {"train", "--layers", "--encoder-layers"},
          {"train", "--hidden-size", "--width"},
          {"train", "--resume", "--output"},
          {"train", "--fp16", "--precision"},
          {"train", "-d", "--threads"},
          {"pretrain", "--gpus", "--threads"},
          {"pretrain", "--dev", "--valid-input"},
          {"finetune", "--restore-file", "--model"},
          {"translate", "--weights", "--ensemble-weights"},
          {"translate", "-w", "--ensemble-weights"},
          {"translate", "--gen-subset", "--input"},
          {"translate", "--force-decode", "--prefix"},
          {"translate", "--verbose", "--quiet"},
          {"train", "--verbose", "--quiet"},
          {"translate", "--lenpen", "--length-penalty"},
          {"translate", "--normalize", "--length-penalty"},
          {"translate", "--beam", "--beam-size"},
          {"translate", "--greedy", "--beam-size"},
          {"translate", "--compute_type", "--precision"},
          {"translate", "--src", "--input"},
          {"translate", "--source-lang", "--source-language"},
          {"translate", "--tgt_lang", "--target-language"},
          {"score", "--forced_bos_token_id", "--target-language"},
          {"finetune", "--target-lang", "--target-language"},
          {"translate", "--max_new_tokens", "--max-length"},
          {"import", "--model", "MODEL"},
          {"import", "--from", "MODEL"},
          {"import", "--format", "recognised"},
          {"finetune", "--forced_bos_token_id", "--target-language"},
          {"import", "--quantization", "quantize"},
          {"import", "--vocabs", "directory"},
          {"translate", "--gpu", "CPU"},
          {"translate", "--cpu-threads", "--threads"},
          {"translate", "--inter_threads", "--threads"},
          {"translate", "--maxi-batch", "--batch-tokens"},
          {"translate", "--quiet-translation", "--quiet"},
          {"translate", "--devices", "CPU"},
          {"translate", "--json", "--format json"},
          {"evaluate", "--json", "--format json"},
          {"translate", "--glossary", "--lexicon"},
          {"translate", "--terminology", "--lexicon"},
          {"translate", "--terms", "--lexicon"},
          {"evaluate", "--output", "> FILE"},
          {"info", "-o", "> FILE"},
          {"compare", "-o", "--html"},
          {"compare", "-t", "--language-pair"},
          {"evaluate", "--source-language", "--language-pair"},
          {"evaluate", "-t", "test sets"},
          {"evaluate", "--test-set", "test sets"},
          {"evaluate", "--list", "test sets"},
          {"evaluate", "--echo", "test sets"},
          {"evaluate", "--cite", "sacreBLEU"},
          {"vocab", "--vocab-size", "--size"},
          {"vocab", "--vocab_size", "--size"},
          {"vocab", "--model_type", "--type"},
          {"encode", "-m", "--tokenizer"},
          {"decode", "-m", "--tokenizer"},
          {"decode", "--input_format", "--input-type"},
          {"average", "--inputs", "--last"},
          {"average", "-m", "gloss average DIR..."},
          {"plot", "-m", "gloss plot DIR..."},
          {"quantize", "--int8", "--type int8"},
          {"quantize", "--bf16", "--type bf16"},
          {"quantize", "-t", "--type"},
          {"quantize", "--force", "--overwrite"},
          {"train", "--force", "--fresh"},
          {"vocab", "--force", "without asking"},
          {"train", "--tensorboard-logdir", "gloss plot"}};
}

TEST(ForeignOptions, SuggestTheOptionsOfGloss) {
  for (const auto& [command, option, answer] : cases()) {
    for (const std::string& spelling : {option, option.starts_with("--") ? option + "=1" : option}) {
      const std::string errors = answer_to(command, spelling);
      EXPECT_TRUE(has(errors, "'" + option + "'")) << command << ": " << errors;
      EXPECT_TRUE(has(errors, answer)) << command << ": " << errors;
    }
  }
}

TEST(ForeignOptions, TheAnswerNamesOptionsOfTheCommand) {
  for (const auto& [command, option, answer] : cases()) {
    const std::string help = run_program({kGlossBinary, "help", command, "all"}).output;
    std::string text = answer_to(command, option);
    text = std::regex_replace(text, std::regex("'[^']*'"), "");  // the option itself, and command lines
    const std::regex name("--[a-z-]+[a-z]");
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
      EXPECT_TRUE(has(help, at->str().substr(2))) << command << " has no " << at->str() << ": " << text;
    }
  }
}

/// The lines of the tables with three columns, the commands of a group in the place of its name.
std::vector<std::vector<std::string>> answers_of_tables() {
  std::vector<std::vector<std::string>> answers;
  for (const std::string table : {"training", "use"}) {
    std::map<std::string, std::string> groups;
    for (const std::string& line :
         read_lines(concat(kSourceFolder, "/cli/options/foreign/", table, ".tsv"))) {
      if (line.empty() || line.starts_with('#')) continue;
      std::vector<std::string> columns = split(line, '\t');
      if (columns.size() == 2) groups.emplace(columns[0], columns[1]);
      if (columns.size() == 2) continue;
      EXPECT_EQ(columns.size(), 3u) << line;
      if (const auto group = groups.find(columns[0]); group != groups.end()) columns[0] = group->second;
      answers.push_back(columns);
    }
  }
  return answers;
}

/// The manual page of a command, with hyphens as such.
std::string manual(const TemporaryDirectory& folder, const std::string& command) {
  std::string page = folder.read(concat("man/gloss-", command, ".1"));
  std::erase(page, '\\');
  return page;
}

/// Expects the options in a text to be on the manual pages of commands.
void expect_options(const std::string& text, const std::string& pages, const std::string& line) {
  static const std::regex option("(^|[ (])--([a-z0-9-]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) {
    const std::string name = (*at)[2];
    EXPECT_TRUE(has(pages, "--" + name) || has(pages, "--[no-]" + name)) << "no --" << name << ": " << line;
  }
}

TEST(ForeignOptions, EveryLineOfTheTablesNamesOptionsThatExist) {
  const TemporaryDirectory folder;
  ASSERT_EQ(run_program({kGlossBinary, "help", "--generate", folder.path()}).status, 0);
  const std::regex command_line("'gloss ([a-z]+)[^']*'"), quoted("'[^']*'");
  const std::vector<std::vector<std::string>> answers = answers_of_tables();
  EXPECT_GT(answers.size(), 150u);
  for (const std::vector<std::string>& answer : answers) {
    const std::string line = join(answer, " | ");
    EXPECT_EQ(std::ranges::count(split(answer[1], ' '), ""), 0) << line;
    std::string named;  // the pages of the command lines in the answer
    for (std::sregex_iterator at(answer[2].begin(), answer[2].end(), command_line), end; at != end; ++at) {
      const std::string page = manual(folder, (*at)[1]);
      EXPECT_FALSE(page.empty()) << line;
      expect_options((*at)[0], page, line);
      named += page;
    }
    for (const std::string& command : split(answer[0], ' ')) {
      const std::string page = manual(folder, command);
      EXPECT_FALSE(page.empty()) << line;
      expect_options(std::regex_replace(answer[2], quoted, ""), page + named, line);
    }
  }
}

TEST(ForeignOptions, NameTheProgramsThatHaveThem) {
  const std::vector<std::string> programs{"CTranslate2", "Marian",  "OpenNMT",   "SentencePiece",
                                          "Sockeye",     "fairseq", "sacreBLEU", "subword-nmt"};
  const auto named = [&](const std::string& command, const std::string& option) {
    const std::string errors = answer_to(command, option);
    const std::size_t begin = errors.find("option of ");
    std::vector<std::string> found;
    if (begin == std::string::npos) return found;
    const std::string claim = errors.substr(begin, errors.find(';') - begin);
    for (const std::string& program : programs) {
      if (has(claim, program)) found.push_back(program);
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(named("translate", "--compute_type"), Names{"CTranslate2"});
  EXPECT_EQ(named("translate", "--lenpen"), Names{"fairseq"});
  EXPECT_EQ(named("translate", "--normalize"), Names{"Marian"});
  EXPECT_EQ(named("translate", "--device"), Names{"CTranslate2"});
  EXPECT_EQ(named("translate", "--models"), Names{"Marian"});
  EXPECT_EQ(named("train", "--arch"), Names{"fairseq"});
  EXPECT_EQ(named("train", "--max-epoch"), Names{"fairseq"});
  EXPECT_EQ(named("train", "--after-epochs"), Names{"Marian"});
  EXPECT_EQ(named("train", "--train_steps"), Names{"OpenNMT"});
  EXPECT_EQ(named("train", "--max-num-epochs"), Names{"Sockeye"});
  EXPECT_EQ(named("train", "--fp16"), (Names{"Marian", "fairseq"}));
  EXPECT_EQ(named("vocab", "--vocab_size"), Names{"SentencePiece"});
  EXPECT_EQ(named("vocab", "--symbols"), Names{"subword-nmt"});
  EXPECT_EQ(named("evaluate", "--test-set"), Names{"sacreBLEU"});
  EXPECT_EQ(named("train", "--resume"), Names{}) << "of none in particular";
  EXPECT_EQ(named("vocab", "--vocab-size"), Names{}) << "a variant of a name";
}

TEST(ForeignOptions, GetNoSuggestionInOtherCommands) {
  const std::string errors = answer_to("vocab", "--lenpen");
  EXPECT_FALSE(has(errors, "--length-penalty")) << errors;
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
