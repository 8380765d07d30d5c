// SPDX-License-Identifier: Apache-2.0
// The common behaviour of all commands: help, version, mistakes on the command line.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

ProgramResult gloss(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), kGlossBinary);
  return run_program(arguments, input);
}

/// The names in the list of commands.
std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const std::string& line : split(gloss({}).output, '\n')) {
    if (line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

TEST(Help, ListsTheCommands) {
  const std::vector<std::string> names = command_names();
  for (const std::string expected :
       {"vocab", "encode", "decode", "train", "plot", "average", "info", "translate", "evaluate"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  }
  EXPECT_EQ(gloss({}).status, 0);
  EXPECT_EQ(gloss({"--help"}).output, gloss({}).output);
  EXPECT_EQ(gloss({"help"}).output, gloss({}).output);
}

TEST(Help, OfTheVersionNamesLibrariesInstructionSetsAndTheBuild) {
  const std::string version = gloss({"--version"}).output;
  EXPECT_TRUE(version.starts_with("gloss 0.2.0\n")) << version;
  for (const std::string part : {"oneDNN ", "SentencePiece ", "ICU ", "Boost ", "zlib ", "Zstandard ", "MPI",
                                 "instruction sets: ", "build type ", "sanitizers"}) {
    EXPECT_NE(version.find(part), std::string::npos) << part << ": " << version;
  }
}

/// The help requests of all commands, for some with each --task.
std::vector<std::vector<std::string>> all_helps() {
  std::vector<std::vector<std::string>> helps;
  for (const std::string& name : command_names()) helps.push_back({name, "--help"});
  for (const std::string task : {"classify", "lm", "mlm", "denoise"}) {
    helps.push_back({"finetune", "--task", task, "--help"});
  }
  helps.push_back({"evaluate", "--task", "lm", "--help"});
  return helps;
}

void expect_narrow(const std::string& text) {
  for (const std::string& line : split(text, '\n')) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Help, IsShort) {
  for (const std::vector<std::string>& words : all_helps()) {
    const ProgramResult result = gloss(words);
    const std::string command = join(words, " ");
    EXPECT_EQ(result.status, 0) << command;
    EXPECT_TRUE(result.output.starts_with("gloss " + words[0] + ": ")) << result.output;
    EXPECT_LE(std::count(result.output.begin(), result.output.end(), '\n'), 25) << result.output;
    for (const std::string part : {"\nUsage: gloss ", "\nExamples:\n", "\nOptions:\n", "--help all"}) {
      EXPECT_NE(result.output.find(part), std::string::npos) << command << ": " << part;
    }
    expect_narrow(result.output);
  }
}

TEST(Help, OfAllOptionsNamesTheirValues) {
  for (std::vector<std::string> words : all_helps()) {
    words.push_back("all");
    const std::string help = gloss(words).output;
    for (const std::string option : {"--config FILE", "--quiet", "--help"}) {
      EXPECT_NE(help.find(option), std::string::npos) << join(words, " ") << " " << option;
    }
    for (const std::string& line : split(help, '\n')) {
      const bool with_letter = line.starts_with("  -") && line.find(", --") == 4;
      if (!with_letter && !line.starts_with("      --")) continue;
      EXPECT_EQ(line.find(" TEXT"), std::string::npos) << line;
    }
    expect_narrow(help);
  }
}

TEST(Help, OfOneGroup) {
  const std::string group = gloss({"translate", "--help", "sampling"}).output;
  EXPECT_TRUE(group.starts_with("Sampling:\n")) << group;
  EXPECT_NE(group.find("--top-p X"), std::string::npos);
  EXPECT_EQ(group.find("--beam-size"), std::string::npos);
  EXPECT_EQ(gloss({"translate", "--help=Sampl"}).output, group) << "a prefix of the name";
  EXPECT_EQ(gloss({"help", "translate", "SAMPLING"}).output, group);
  const ProgramResult unknown = gloss({"translate", "--help", "sampels"});
  EXPECT_EQ(unknown.status, 2);
  for (const std::string part : {"'sampels'", "all", "Files", "Sampling"}) {
    EXPECT_NE(unknown.errors.find(part), std::string::npos) << unknown.errors;
  }
  for (const std::string topic : {"samplng", "SAMPLNG"}) {
    const std::string errors = gloss({"translate", "--help", topic}).errors;
    EXPECT_NE(errors.find("did you mean 'Sampling'"), std::string::npos) << errors;
  }
}

TEST(Help, ShowsThatASwitchCanBeSwitchedOffThoughItsDefaultIsHidden) {
  const std::string group = gloss({"finetune", "--help", "Network of the model"}).output;
  EXPECT_NE(group.find("--[no-]"), std::string::npos) << group;
}

TEST(Help, IsTheSameFromTheCommandHelp) {
  for (const std::string& name : command_names()) {
    EXPECT_EQ(gloss({"help", name}).output, gloss({name, "--help"}).output);
    EXPECT_EQ(gloss({"help", name, "all"}).output, gloss({name, "--help", "all"}).output);
    EXPECT_EQ(gloss({name, "-h"}).output, gloss({name, "--help"}).output);
  }
}

TEST(Help, FailsIfItCannotBeWritten) {
  for (const std::string words : {"train --help", "help", "--version", "help train all"}) {
    const ProgramResult result =
        run_program({"/bin/sh", "-c", concat("'", kGlossBinary, "' ", words, " > /dev/full")});
    EXPECT_EQ(result.status, 1) << words << ": " << result.errors;
  }
}

/// The arguments of gloss in an example, without redirections.
std::vector<std::string> example_words(const std::string& example) {
  std::string call = example.substr(example.find("gloss ") + 6);
  call.resize(std::min(call.find_first_of("<>|"), call.size()));
  std::vector<std::string> words = split(call, ' ');
  std::erase(words, "");
  std::erase(words, "\\");
  return words;
}

TEST(Help, HasExamplesThatParse) {
  const TemporaryDirectory folder;
  for (const std::vector<std::string>& help : all_helps()) {
    std::vector<std::string> examples;
    const std::string output = gloss(help).output;
    for (const std::string& line : split(output.substr(0, output.find("\nOptions:")), '\n')) {
      const bool goes_on = !examples.empty() && examples.back().ends_with('\\');
      if (goes_on) examples.back() += line;
      if (line.starts_with("  ") && line.find("gloss ") != std::string::npos) examples.push_back(line);
    }
    EXPECT_GE(examples.size(), 2u) << join(help, " ");
    for (const std::string& example : examples) {
      const std::vector<std::string> words = example_words(example);
      std::string command = concat("cd '", folder.path(), "' && '", kGlossBinary, "'");
      for (const std::string& word : words) command += " '" + word + "'";
      const ProgramResult result = run_program({"/bin/sh", "-c", command});
      // Models and texts are missing, but nothing is wrong with the options.
      EXPECT_NE(result.status, 2) << example << ": " << result.errors;
    }
  }
}

TEST(Help, ShowsDefaultsWhateverTheOtherOptions) {
  EXPECT_EQ(gloss({"translate", "--beam-size", "9", "--help"}).output, gloss({"translate", "--help"}).output);
}

TEST(Help, HidesDefaultsThatDependOnTheModel) {
  const std::string help = gloss({"finetune", "--help", "all"}).output;
  EXPECT_NE(help.find("--width N"), std::string::npos);
  EXPECT_EQ(help.find("(default 512)"), std::string::npos);
  EXPECT_NE(help.find("(default from the text)"), std::string::npos) << "the learning rate";
  const std::string train = gloss({"train", "--help", "all"}).output;
  const std::size_t mixers = train.find("--decoder-mixers");
  EXPECT_LT(train.find("default attention", mixers), train.find("default from the text", mixers));
}

TEST(Help, ShowsHowToSwitchOffWhatIsOn) {
  const std::string help = gloss({"train", "--help", "all"}).output;
  for (const char* name : {"valid-bleu", "bidirectional", "scale-embeddings"}) {
    EXPECT_NE(help.find(std::string("--[no-]") + name), std::string::npos) << name;
  }
  EXPECT_EQ(help.find("--[no-]fresh"), std::string::npos) << "is off by default";
}

TEST(CommandLine, MistakesGetASuggestionAndStatusTwo) {
  for (const auto& [arguments, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"transalte"}, "did you mean 'translate'?"},
           {{"translate", "--beam-sise", "4"}, "did you mean '--beam-size'?"},
           {{"translate", "--beam_size", "4"}, "did you mean '--beam-size'?"},
           {{"translate", "--beam-size", "many"}, "found 'many', expected a whole number"},
           {{"translate", "--beam-size"}, "--beam-size"},
           {{"translate", "--beam-size", "4", "--beam-size", "5"}, "more than once"},
           {{"translate", "--config", "/missing/file"}, "/missing/file"},
           {{"train", "foo"}, "unexpected argument 'foo'"},
           {{"quantize", "-m", "model", "foo"}, "unexpected argument 'foo'"},
           {{"train", "--norm", "middle", "-o", "x"}, "expected one of pre, post"}}) {
    const ProgramResult result = gloss(arguments);
    EXPECT_EQ(result.status, 2) << join(arguments, " ");
    EXPECT_NE(result.errors.find(expected), std::string::npos)
        << join(arguments, " ") << ": " << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

TEST(CommandLine, OverridesTheSettingsFile) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("settings", "# comment\nsize = 40\nbyte_fallback = true\n");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "the cat saw the dog and the dog saw the cat near a tree\n";
  const ProgramResult from_file = gloss({"vocab", "--config", file, "-o", folder / "x.model"}, text);
  EXPECT_EQ(from_file.status, 3) << "256 byte pieces do not fit into 40: " << from_file.errors;
  const ProgramResult given =
      gloss({"vocab", "--config", file, "--byte-fallback=false", "-o", folder / "x.model"}, text);
  EXPECT_EQ(given.status, 0) << given.errors;
  const std::string wrong = folder.write("wrong", "syze = 40\n");
  const ProgramResult refused = gloss({"vocab", "--config", wrong, "-o", folder / "x.model"}, text);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.errors.find(wrong), std::string::npos) << refused.errors;
  EXPECT_NE(refused.errors.find("did you mean 'size'?"), std::string::npos) << refused.errors;
  EXPECT_EQ(gloss({"vocab", "--config", folder.path(), "-o", folder / "x.model"}, text).status, 2);
}

}  // namespace
}  // namespace gloss
