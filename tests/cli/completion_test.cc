// SPDX-License-Identifier: Apache-2.0
// Completion of the command line in the shells themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/shell_tool.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;

struct Completion : testing::Test {
  Completion() {
    const ProgramResult made = run_program({kGlossBinary, "help", "--generate", folder / "docs"});
    EXPECT_EQ(made.status, 0) << made.errors;
    for (const std::string name : {"work/notes", "work/model", "work/run/best"}) {
      std::filesystem::create_directories(folder / name);
    }
    folder.write("work/text.en", "");
    folder.write("work/notes/only_text", "");
    folder.write("work/model/config.json", "{}");
    folder.write("work/run/best/config.json", "{}");
  }
  std::string script(const std::string& name) { return folder / ("docs/completions/" + name); }
  /// The lines that a shell's program prints, run in the folder `work`.
  Words lines_of(const std::string& shell, const Words& options, const std::string& program) {
    Words command{shell};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-c", concat("cd '", folder / "work", "'\n", program)});
    const ProgramResult result = run_program(command, "", {"HOME=" + folder.path(), "TERM=dumb"});
    EXPECT_EQ(result.errors, "") << shell;
    Words lines = split(result.output, '\n');
    std::erase(lines, "");
    return lines;
  }

  TemporaryDirectory folder;
};

bool lists(const Words& words, const std::string& word) { return std::ranges::count(words, word) > 0; }

TEST_F(Completion, OfBash) {
  const std::string bash = find_tool("bash");
  if (bash.empty()) GTEST_SKIP() << "bash is not installed: its completion is NOT checked";
  const auto complete = [&](const std::string& words) {
    const std::string program =
        concat("source '", script("gloss"), "'\nCOMP_WORDS=(", words,
               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_gloss\n", "printf '%s\\n' \"${COMPREPLY[@]}\"");
    return lines_of(bash, {"--norc", "--noprofile"}, program);
  };
  EXPECT_EQ(complete("gloss trans"), Words{"translate"});
  EXPECT_TRUE(lists(complete("gloss ''"), "evaluate"));
  EXPECT_EQ(complete("gloss help pretr"), Words{"pretrain"});
  EXPECT_EQ(complete("gloss translate --beam"), Words{"--beam-size"});
  EXPECT_EQ(complete("gloss train --no-v"), Words{"--no-valid-bleu"});
  EXPECT_EQ(complete("gloss translate --precision b"), Words{"bf16"});
  EXPECT_EQ(complete("gloss translate --precision = b"), Words{"bf16"});
  EXPECT_EQ(complete("gloss translate --input te"), Words{"text.en"});
  EXPECT_EQ(complete("gloss finetune --task classify --word-dr"), Words{"--word-dropout"});
  EXPECT_TRUE(complete("gloss translate --beam-size ''").empty());
  Words models = complete("gloss translate -m ''");
  std::ranges::sort(models);
  EXPECT_EQ(models, (Words{"model", "run"})) << "notes holds no model";
  EXPECT_EQ(complete("gloss translate -m model ru"), Words{"run"}) << "an ensemble";
  EXPECT_EQ(complete("gloss average ru"), Words{"run"});
  EXPECT_EQ(complete("gloss plot ru"), Words{"run"});
  EXPECT_EQ(complete("gloss evaluate text.en -m b"), Words{"bleu"});
  EXPECT_EQ(complete("gloss evaluate text.en -m bleu te"), Words{"ter"}) << "a list of names";
  EXPECT_TRUE(lists(complete("gloss evaluate text.en -m ''"), "accuracy"));
  EXPECT_FALSE(lists(complete("gloss compare text.en -m ''"), "accuracy"));
  EXPECT_EQ(complete("gloss evaluate --tokenize in"), Words{"intl"});
  EXPECT_EQ(complete("gloss train --decoder-mixers ss"), Words{"ssru"});
  EXPECT_EQ(complete("gloss rerank --mbr ch"), Words{"chrf"});
  EXPECT_EQ(complete("gloss translate --protect u"), Words{"url"});
  EXPECT_TRUE(lists(complete("gloss split -l ''"), "de"));
  EXPECT_EQ(complete("gloss rerank --mbr B"), Words{"bleu"}) << "its real spelling";
  EXPECT_EQ(complete("gloss translate --help s"), (Words{"Sentences", "Search", "Sampling", "Shortlist"}));
  EXPECT_TRUE(lists(complete("gloss translate --help ''"), "all"));
}

TEST_F(Completion, OfFish) {
  const std::string fish = find_tool("fish");
  if (fish.empty()) GTEST_SKIP() << "fish is not installed: its completion is NOT checked";
  const auto complete = [&](const std::string& line) {
    Words words = lines_of(fish, {"--no-config"},
                           concat("source '", script("gloss.fish"), "'\ncomplete -C \"", line, "\""));
    for (std::string& word : words) word.resize(std::min(word.find('\t'), word.size()));
    return words;
  };
  EXPECT_EQ(complete("gloss transl"), Words{"translate"});
  EXPECT_TRUE(lists(complete("gloss "), "evaluate"));
  EXPECT_EQ(complete("gloss help pretr"), Words{"pretrain"});
  EXPECT_EQ(complete("gloss translate --beam"), Words{"--beam-size"});
  EXPECT_EQ(complete("gloss train --no-v"), Words{"--no-valid-bleu"});
  EXPECT_EQ(complete("gloss translate --precision b"), Words{"bf16"});
  EXPECT_EQ(complete("gloss translate --precision=b"), Words{"--precision=bf16"});
  EXPECT_EQ(complete("gloss translate --input te"), Words{"text.en"});
  EXPECT_EQ(complete("gloss translate -m "), (Words{"model/", "run/"})) << "notes holds no model";
  EXPECT_TRUE(lists(complete("gloss translate -m model ru"), "run/")) << "an ensemble";
  EXPECT_TRUE(lists(complete("gloss vocab --input a te"), "text.en")) << "a list of files";
  EXPECT_TRUE(lists(complete("gloss average ru"), "run/"));
  EXPECT_EQ(complete("gloss evaluate text.en -m bl"), Words{"bleu"});
  EXPECT_TRUE(lists(complete("gloss evaluate text.en -m bleu chr"), "chrf")) << "a list of names";
  EXPECT_EQ(complete("gloss evaluate --tokenize in"), Words{"intl"});
  EXPECT_EQ(complete("gloss split -l pt"), Words{"pt"});
  EXPECT_EQ(complete("gloss rerank --mbr B"), Words{"bleu"});
  EXPECT_EQ(complete("gloss translate --help al"), Words{"all"});
}

/// Types a line with tabs into an interactive zsh, in which gloss prints its arguments.
constexpr const char* kZshTerminal = R"zsh(
zmodload zsh/zpty
zpty terminal "zsh -f -i"
zpty -w terminal "PROMPT= RPROMPT= PS2=; unsetopt zle_bracketed_paste; fpath=($COMPLETIONS \$fpath)"
zpty -w terminal "autoload -Uz compinit && compinit -u -d $PWD/../dump"
zpty -w terminal "gloss() { print -r -- \"<\${(j:|:)@}>\" }; stty -echo; zstyle \":completion:*\" insert-tab false"
zpty -w terminal "$LINE"
zpty -w terminal "print -r -- END; exit"
while zpty -r terminal line; do
  print -r -- "$line"
done
)zsh";

TEST_F(Completion, OfZsh) {
  const std::string zsh = find_tool("zsh");
  if (zsh.empty()) GTEST_SKIP() << "zsh is not installed: its completion is NOT checked";
  const auto completed = [&](const std::string& line) {
    const Words lines =
        lines_of(zsh, {"-f"},
                 concat("COMPLETIONS='", folder / "docs/completions", "'\nLINE=$'", line, "'", kZshTerminal));
    for (const std::string& one : lines) {
      const std::size_t begin = one.find('<'), end = one.find('>');
      if (begin != std::string::npos && end != std::string::npos && one.find("print") == std::string::npos) {
        return one.substr(begin + 1, end - begin - 1);
      }
    }
    return join(lines, "\n");
  };
  EXPECT_EQ(completed("gloss transl\\t--beam\\t4"), "translate|--beam-size|4");
  EXPECT_EQ(completed("gloss train --no-v\\t"), "train|--no-valid-bleu");
  EXPECT_EQ(completed("gloss translate --precision b\\t"), "translate|--precision|bf16");
  EXPECT_EQ(completed("gloss translate --precision=b\\t"), "translate|--precision=bf16");
  EXPECT_EQ(completed("gloss translate --input te\\t"), "translate|--input|text.en");
  EXPECT_EQ(completed("gloss translate -m mo\\t"), "translate|-m|model");
  EXPECT_EQ(completed("gloss translate -m no\\t"), "translate|-m|no") << "notes holds no model";
  EXPECT_EQ(completed("gloss average ru\\t"), "average|run");
  EXPECT_EQ(completed("gloss evaluate text.en -m bl\\tch\\t"), "evaluate|text.en|-m|bleu|chrf");
  EXPECT_EQ(completed("gloss evaluate --tokenize in\\t"), "evaluate|--tokenize|intl");
  EXPECT_EQ(completed("gloss help pretr\\t"), "help|pretrain");
  EXPECT_EQ(completed("gloss rerank --mbr B\\t"), "rerank|--mbr|bleu");
  EXPECT_EQ(completed("gloss translate --help fi\\t"), "translate|--help|Files");
}

}  // namespace
}  // namespace gloss
