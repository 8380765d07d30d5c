// SPDX-License-Identifier: Apache-2.0
// Texts that another program changes in place while they are read.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/index.h"
#include "base/output.h"
#include "base/random.h"
#include "tests/support/has.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

class ChangedInput : public UntrainedModels {
 protected:
  ChangedInput() {
    Random random(3);
    for (int line = 0; line < 6'000; ++line) {
      for (int i = 0; i < 100; ++i) text += static_cast<char>('a' + random.below(26));
      text += '\n';
    }
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  }

  std::vector<std::string> encode(const std::vector<std::string>& more) const {
    std::vector<std::string> words{
        kGlossBinary, "encode", "-t", *folder / "a/tokenizer.model", "-q", "--threads", "1", "-o", pipe};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  struct Outcome {
    int status = 0;
    std::ptrdiff_t lines = 0;
  };
  /// Runs a command that writes to the pipe. It has read a part of the text when `change` is called, and
  /// waits until the pipe is emptied.
  Outcome changed(const std::vector<std::string>& command, const std::function<void()>& change,
                  const std::string& standard_input = "/dev/null") const {
    StartedProgram program(command, files / "errors", "/dev/null", standard_input);
    const int reader = open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
    pollfd first{reader, POLLIN, 0};
    EXPECT_EQ(poll(&first, 1, -1), 1);
    change();
    Outcome outcome;
    std::array<char, 65536> bytes;
    while (true) {
      const ssize_t got = read(reader, bytes.data(), bytes.size());
      if (got <= 0) break;
      outcome.lines += std::count(bytes.begin(), bytes.begin() + got, '\n');
    }
    close(reader);
    outcome.status = program.wait();
    return outcome;
  }
  void expect_warning(const std::string& name) const {
    EXPECT_NE(files.read("errors").find(name + " was changed"), std::string::npos) << files.read("errors");
  }

  TemporaryDirectory files;
  std::string text, pipe = files / "pipe";
};

TEST_F(ChangedInput, OfAFileIsReportedWithStatus3) {
  const std::string path = files / "text";
  const auto nothing = [] {};
  const auto cut = [&] { fs::resize_file(path, text.size() / 2); };
  const auto grow = [&] { std::ofstream(path, std::ios::app) << "one more\n"; };
  const auto overwrite = [&] {
    std::fstream file(path);
    file.seekp(static_cast<std::streamoff>(text.size() - 101));
    file << std::string(100, 'z');
  };
  const auto replace = [&] {  // the open file stays as it was
    files.write("new", "short\n");
    fs::rename(files / "new", path);
  };
  for (const bool standard : {false, true}) {
    const std::vector<std::string> command =
        encode(standard ? std::vector<std::string>{} : std::vector{path});
    const std::string input = standard ? path : "/dev/null", name = standard ? "standard input" : path;
    files.write("text", text);
    for (const auto& [change, lines] : std::vector<std::pair<std::function<void()>, std::ptrdiff_t>>{
             {cut, 3'000}, {grow, 6'001}, {overwrite, 6'000}}) {
      const Outcome outcome = changed(command, change, input);
      EXPECT_EQ(outcome.status, 3);
      EXPECT_LE(outcome.lines, lines);
      EXPECT_GE(outcome.lines, lines - 1) << "what was read is written";
      expect_warning(name);
      files.write("text", text);
    }
    EXPECT_EQ(changed(command, nothing, input).status, 0) << files.read("errors");
    EXPECT_EQ(changed(command, replace, input).status, 0) << files.read("errors");
  }
}

TEST_F(ChangedInput, OfACompressedFileToo) {
  for (const std::string suffix : {".gz", ".zst", ".xz", ".bz2"}) {
    const std::string path = files / ("text" + suffix);
    Output packed(path);
    packed.write(text);
    packed.close();
    const auto cut = [&] { fs::resize_file(path, fs::file_size(path) / 4 * 3); };
    const auto touch = [&] { fs::last_write_time(path, fs::file_time_type::clock::now()); };
    EXPECT_EQ(changed(encode({path}), touch).status, 3) << suffix;
    expect_warning(path);
    EXPECT_EQ(changed(encode({path}), cut).status, 3) << suffix;
    expect_warning(path);
  }
}

TEST_F(ChangedInput, AfterItsEndIsNoMatter) {
  const std::string path = files.write("first", "the cat\n"), large = files.write("text", text);
  const auto grow = [&] { std::ofstream(path, std::ios::app) << "one more\n"; };
  EXPECT_EQ(changed(encode({path, large}), grow).status, 0) << files.read("errors");
}

TEST_F(ChangedInput, OfAShardToo) {
  const std::string path = files.write("text", text);
  std::vector<std::string> command = encode({path, "--shard", "1/2"});
  *std::ranges::find(command, pipe) = "-";
  command.insert(command.begin(), {"/bin/bash", "-c", "exec \"$@\" > \"$0\"", pipe});
  const auto grow = [&] { std::ofstream(path, std::ios::app) << "one more\n"; };
  EXPECT_EQ(changed(command, grow).status, 3) << files.read("errors");
  expect_warning(path);
}

TEST_F(ChangedInput, OfATranslationToo) {
  // Long lines: each is a window by itself.
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += std::string(20'000, 'a') + "\n";
  const std::string path = files.write("lines", lines);
  const std::vector<std::string> command{
      kGlossBinary, "translate",   "-m", *folder / "a", "--max-length", "2",  "--max-source-tokens",
      "2",          "--beam-size", "1",  "-q",          "-i",           path, "-o",
      pipe};
  const Outcome outcome = changed(command, [&] { fs::resize_file(path, lines.size() - 1'000'000); });
  EXPECT_EQ(outcome.status, 3) << files.read("errors");
  expect_warning(path);
}

TEST_F(ChangedInput, OfAModelThatIsCutEndsTheProgram) {
  const std::string model = files / "model";
  fs::copy(*folder / "a", model);
  files.write("answers", "");
  const int lines = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  StartedProgram program({kGlossBinary, "translate", "-m", model, "--precision", "f32"}, files / "errors",
                         files / "answers", pipe);
  ASSERT_EQ(write(lines, "a cat\n", 6), 6);
  while (program.runs() && files.read("answers").empty()) usleep(2000);
  fs::resize_file(model + "/model.safetensors", 0);
  ASSERT_EQ(write(lines, "a dog\n", 6), 6);
  EXPECT_EQ(program.wait(), 3);
  EXPECT_TRUE(has(files.read("errors"), model + "/model.safetensors was cut")) << files.read("errors");
  close(lines);
}

}  // namespace
}  // namespace gloss
