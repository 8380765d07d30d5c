// What every command has in common: help, version, mistakes in the command line.
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
  EXPECT_TRUE(gloss({"--version"}).output.starts_with("gloss "));
}

TEST(Help, OfEveryCommandFitsIntoEightyColumns) {
  for (const std::string& name : command_names()) {
    const ProgramResult result = gloss({name, "--help"});
    EXPECT_EQ(result.status, 0) << name;
    EXPECT_EQ(result.output, gloss({"help", name}).output);
    EXPECT_TRUE(result.output.starts_with("gloss " + name + ": ")) << result.output;
    for (const std::string option : {"--config", "--quiet", "--help"}) {
      EXPECT_NE(result.output.find(option), std::string::npos) << name << " " << option;
    }
    for (const std::string& line : split(result.output, '\n')) {
      EXPECT_LE(line.size(), 80u) << name << ": " << line;
      EXPECT_EQ(line.find(" arg "), std::string::npos) << name << ": a flag takes no value: " << line;
    }
  }
}

TEST(Help, ShowsDefaultsWhateverStandsBesideIt) {
  EXPECT_EQ(gloss({"translate", "--beam-size", "9", "--help"}).output, gloss({"translate", "--help"}).output);
}

TEST(Help, DoesNotTellDefaultsThatAModelDecides) {
  const std::string help = gloss({"finetune", "--help"}).output;
  EXPECT_NE(help.find("--width N"), std::string::npos);
  EXPECT_EQ(help.find("(default 512)"), std::string::npos);
  EXPECT_NE(help.find("0.0002)"), std::string::npos) << "the learning rate";
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
           {{"train", "--norm", "middle", "-o", "x"}, "expected one of pre, post"}}) {
    const ProgramResult result = gloss(arguments);
    EXPECT_EQ(result.status, 2) << join(arguments, " ");
    EXPECT_NE(result.errors.find(expected), std::string::npos)
        << join(arguments, " ") << ": " << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

TEST(CommandLine, ASettingsFileCountsLessThanTheCommandLine) {
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
  EXPECT_NE(refused.errors.find("did you mean '--size'?"), std::string::npos) << refused.errors;
  EXPECT_EQ(gloss({"vocab", "--config", folder.path(), "-o", folder / "x.model"}, text).status, 2);
}

}  // namespace
}  // namespace gloss
