// SPDX-License-Identifier: Apache-2.0
// Text from files that are not trusted, and files that change while they are used, through the real binary.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/files.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

class HostileText : public UntrainedModels {
 protected:
  HostileText() { fs::copy(*folder / "a", files / "model"); }

  static ProgramResult run(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  /// Expects that a terminal would show this text as it is.
  static void expect_harmless(const std::string& text) {
    for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << text;
    EXPECT_EQ(text.find("\x7f"), std::string::npos);
    EXPECT_EQ(text.find("\u009b"), std::string::npos);
  }
  /// True once the first answer was written to the incomplete output.
  bool has_output() const {
    for (const std::string& name : names_in(files.path())) {
      std::error_code renamed;
      if (name == "output.partial") return fs::file_size(files / name, renamed) > 0 && !renamed;
    }
    return false;
  }
  /// Changes config.json of the model.
  void change_config(const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json config = nlohmann::json::parse(files.read("model/config.json"));
    change(config);
    files.write("model/config.json", config.dump());
  }

  TemporaryDirectory files;
  const std::string evil = "\x1b[2J\u009b1mmodel\nwhole: every file was read and checked\r\x7f";
};

TEST_F(HostileText, InAModelIsShownWithEscapes) {
  change_config([&](nlohmann::json& config) { config["averaged"] = {evil}; });
  const ProgramResult text = run({"info", "-m", files / "model"});
  EXPECT_EQ(text.status, 0) << text.errors;
  expect_harmless(text.output);
  EXPECT_NE(text.output.find("\\x9b1mmodel"), std::string::npos) << text.output;
  int lines = 0;  // that look like the verdict
  for (const std::string& line : output_lines(text.output)) lines += line.starts_with("whole") ? 1 : 0;
  EXPECT_EQ(lines, 1) << text.output;
  const ProgramResult json = run({"info", "--format", "json", "-m", files / "model"});
  expect_harmless(json.output);
  EXPECT_EQ(nlohmann::json::parse(json.output)["averaged"][0], evil);
}

TEST_F(HostileText, InMessagesIsShownWithEscapes) {
  change_config([&](nlohmann::json& config) { config["network"][evil] = 1; });
  const ProgramResult member = run({"translate", "-m", files / "model"});
  EXPECT_EQ(member.status, 3);
  expect_harmless(member.errors);
  EXPECT_EQ(output_lines(member.errors).size(), 1u) << member.errors;
  const ProgramResult name = run({"translate", "-m", *folder / "a", "-i", files / evil});
  EXPECT_EQ(name.status, 3);
  expect_harmless(name.errors);
}

TEST_F(HostileText, AModelThatChangesWhileItIsUsedIsAnError) {
  const std::string weights = files / "model/model.safetensors", pipe = files / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string change : {"cut", "overwritten"}) {
    fs::copy_file(*folder / "a/model.safetensors", weights, fs::copy_options::overwrite_existing);
    StartedProgram program(
        {kGlossBinary, "translate", "-m", files / "model", "-i", pipe, "-o", files / "output"},
        files / "errors");
    std::ofstream input(pipe);  // waits until the model is read and the input opened
    input << "the cat\n" << std::flush;
    while (program.runs() && !has_output()) std::this_thread::yield();
    if (change == "cut") {
      fs::resize_file(weights, 100);
    } else {
      std::ofstream(weights, std::ios::in | std::ios::binary).write(std::string(20'000, 'x').data(), 20'000);
    }
    input << "a dog\n";
    input.close();
    EXPECT_EQ(program.wait(), 3) << files.read("errors");
    EXPECT_NE(files.read("errors").find(weights), std::string::npos) << files.read("errors");
    for (const char* name : {"output.partial", "output.partial.run"})
      EXPECT_TRUE(fs::remove(files / name)) << name;
  }
}

TEST_F(HostileText, ClosedAndFullStandardOutputFail) {
  for (const std::string command : {"--help", "help", "--version", "translate --help", "info -m \"$1\"",
                                    "translate -m \"$1\" <<< 'the cat'", "plot --help all"}) {
    for (const std::string output : {">&-", "> /dev/full"}) {
      const ProgramResult result =
          run_program({"/bin/bash", "-c", "\"$0\" " + command + " " + output, kGlossBinary, *folder / "a"});
      expect_failure(result, 1, "standard output");
    }
  }
}

TEST_F(HostileText, ASettingsFileThatCannotBeReadIsAnError) {
  expect_failure(gloss("translate", {"--config", "/proc/self/mem"}), 2, "/proc/self/mem");
  expect_failure(gloss("translate", {"--config", files.path()}), 2, files.path());
  const std::string windows = files.write("settings",
                                          "\xEF\xBB\xBF"
                                          "beam-size = 3\r\nscores = true\r\n");
  const ProgramResult read = gloss("translate", {"--config", windows}, "the cat\n");
  EXPECT_EQ(read.status, 0) << read.errors;
  EXPECT_EQ(read.output, gloss("translate", {"--beam-size", "3", "--scores"}, "the cat\n").output);
}

TEST_F(HostileText, LineEndsAndMarksOfOtherSystemsChangeNoTranslation) {
  const ProgramResult expected = gloss("translate", {}, "the cat\na dog\n");
  const std::string text = files.write("text",
                                       "\xEF\xBB\xBF"
                                       "the cat\r\na dog\r\n");
  const ProgramResult result = gloss("translate", {"-i", text});
  EXPECT_EQ(result.output, expected.output);
  EXPECT_NE(result.errors.find("byte order mark"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("2 lines"), std::string::npos) << result.errors;
  const ProgramResult pairs = gloss("score", {"--source", text, "--target", text});
  EXPECT_EQ(pairs.output, gloss("score", {"--tsv", "-"}, "the cat\tthe cat\na dog\ta dog\n").output);
}

TEST_F(HostileText, NulBytesAreTextAndProgramsAreNot) {
  using namespace std::string_literals;
  const std::vector<std::string> translate{"translate", "-m", files / "model"};
  const ProgramResult nul = run(translate, "a\0b\nc\0d\n"s);
  EXPECT_EQ(nul.status, 0) << nul.errors;
  const ProgramResult program = run(translate, read_file(kGlossBinary).substr(0, 4096));
  EXPECT_EQ(program.status, 3);
  EXPECT_NE(program.errors.find("is a binary file"), std::string::npos) << program.errors;
  EXPECT_EQ(program.errors.find("iconv"), std::string::npos) << program.errors;
  std::string utf16;
  for (const char c : "one sentence per line\n"s) utf16 += {c, '\0'};
  const ProgramResult converted = run(translate, utf16);
  EXPECT_EQ(converted.status, 3);
  EXPECT_NE(converted.errors.find("iconv -f UTF-16LE"), std::string::npos) << converted.errors;
}

TEST_F(HostileText, PackedOutputIsWrittenAndReadAgain) {
  const ProgramResult expected = gloss("translate", {}, "the cat\na dog\n");
  for (const std::string suffix : {".gz", ".zst", ".xz", ".bz2"}) {
    const std::string output = files / ("text" + suffix);
    EXPECT_EQ(gloss("translate", {"-o", output}, "the cat\na dog\n").status, 0);
    const ProgramResult again = run({"encode", "-t", *folder / "a/tokenizer.model", "-i", output});
    EXPECT_EQ(again.output, run({"encode", "-t", *folder / "a/tokenizer.model"}, expected.output).output);
  }
}

}  // namespace
}  // namespace gloss
