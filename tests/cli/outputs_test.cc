// SPDX-License-Identifier: Apache-2.0
// Files and directories that commands write, through the real binary.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "tests/support/exchange.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

class Outputs : public UntrainedModels {
 protected:
  static ProgramResult run(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  static ProgramResult shell(const std::string& command) {
    return run_program({"/bin/bash", "-c", command, kGlossBinary, *folder / "a"});
  }

  TemporaryDirectory files;
};

TEST_F(Outputs, AreNeverInputs) {
  const std::string text = files.write("text", "the cat\n"), other = files.write("other", "a dog\n");
  fs::create_symlink("text", files / "symbolic");
  fs::create_hard_link(text, files / "hard");
  for (const std::string& output : {text, files / "symbolic", files / "hard"}) {
    expect_failure(gloss("translate", {"-i", text, "-o", output}), 2, output);
    expect_failure(gloss("translate", {other, text, "-o", output}), 2, output);
    expect_failure(gloss("score", {"--source", other, "--target", text, "-o", output}), 2, "--target");
    expect_failure(gloss("translate", {"-i", other, "--lexicon", text, "-o", output}), 2, "--lexicon");
  }
  expect_failure(
      gloss("align", {"--source", other, "--target", other, "-o", files / "x", "--html", files / "x"}), 2,
      "--html");
  EXPECT_EQ(files.read("text"), "the cat\n");
  expect_failure(shell("\"$0\" translate -m \"$1\" -o " + text + " < " + text), 2, text);
  expect_failure(shell("\"$0\" translate -m \"$1\" < " + text + " >> " + text), 2, "standard");
  EXPECT_EQ(files.read("text"), "the cat\n");
}

TEST_F(Outputs, OfTwoWritersTheSecondIsRefused) {
  const std::string output = files / "outputs/text", pipe = files / "pipe";
  fs::create_directory(files / "outputs");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  StartedProgram first({kGlossBinary, "translate", "-m", *folder / "a", "-i", pipe, "-o", output},
                       files / "errors");
  while (first.runs() && names_in(files / "outputs").empty()) std::this_thread::yield();
  expect_failure(gloss("translate", {"-o", output}, "a dog\n"), 1, output);
  std::ofstream(pipe) << "the cat\n";
  EXPECT_EQ(first.wait(), 0) << files.read("errors");
  EXPECT_EQ(output_lines(files.read("outputs/text")).size(), 1u);
  EXPECT_EQ(names_in(files / "outputs").size(), 1u);
}

TEST_F(Outputs, ArePipesAndDevicesToo) {
  const ProgramResult expected = gloss("translate", {}, "the cat\n");
  const ProgramResult null = gloss("translate", {"-o", "/dev/null"}, "the cat\n");
  EXPECT_EQ(null.status, 0) << null.errors;
  const std::string translate = "echo the cat | \"$0\" translate -m \"$1\" -q -o ";
  EXPECT_EQ(shell(translate + "/dev/stdout").output, expected.output);
  EXPECT_EQ(shell(translate + ">(cat); wait $!").output, expected.output);
  EXPECT_EQ(shell("{ echo first; " + translate + "/dev/stdout; } > " + files / "text").status, 0);
  EXPECT_EQ(files.read("text"), "first\n" + expected.output);
}

TEST_F(Outputs, ADirectoryThatIsNotEmptyIsKept) {
  const std::string made = files / "made", model = *folder / "a";
  const std::vector<std::vector<std::string>> commands{
      {"quantize", "--type", "bf16", "-m", model, "-o", made}, {"average", model, "-o", made}};
  for (const std::vector<std::string>& words : commands) {
    fs::remove_all(made);
    fs::create_directory(made);
    files.write("made/thesis.tex", "years of work");
    expect_failure(run(words), 2, "thesis.tex");
    EXPECT_EQ(names_in(made).size(), 1u);
    fs::remove(made + "/thesis.tex");
    EXPECT_EQ(run(words).status, 0) << "an empty directory is free";
    const std::string weights = read_file(made + "/model.safetensors");
    expect_failure(run(words), 2, "--overwrite");
    std::vector<std::string> again = words;
    again.push_back("--overwrite");
    const ProgramResult replaced = run(again);
    EXPECT_EQ(replaced.status, 0) << replaced.errors;
    EXPECT_EQ(read_file(made + "/model.safetensors"), weights);
    fs::remove_all(made);
    files.write("made", "a file");
    expect_failure(run(again), 1, made);
    fs::remove_all(made);
  }
}

TEST_F(Outputs, AModelIsReplacedAsAWholeAndOtherFilesStay) {
  const std::string made = files / "made";
  ASSERT_EQ(run({"quantize", "-m", *folder / "a", "-o", made}).status, 0);
  files.write("made/README", "by hand");
  fs::create_directory_symlink("made", files / "link");
  const std::vector<std::vector<std::string>> commands{{"quantize", "-m", *folder / "c"},
                                                       {"average", *folder / "a", *folder / "b"}};
  for (std::vector<std::string> words : commands) {
    struct stat before {
    }, after{};
    ASSERT_EQ(stat(made.c_str(), &before), 0);
    words.insert(words.end(), {"-o", files / "link", "--overwrite"});
    EXPECT_EQ(run(words).status, 0);
    ASSERT_EQ(stat(made.c_str(), &after), 0);
    if (can_exchange(files.path())) {
      EXPECT_NE(before.st_ino, after.st_ino) << "a kill leaves the old or the new directory, never a mix";
    }
    EXPECT_EQ(files.read("made/README"), "by hand");
    EXPECT_EQ(names_in(made).size(), 4u) << "README, settings, weights, tokenizer";
    EXPECT_EQ(run({"info", "-m", made}).status, 0);
  }
  EXPECT_TRUE(fs::is_symlink(files / "link"));
  EXPECT_EQ(names_in(files.path()).size(), 2u);
}

}  // namespace
}  // namespace gloss
