// SPDX-License-Identifier: Apache-2.0
// Signals that end a command before its output is complete.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <thread>

#include "base/files.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

/// Writes a model with a gigabyte of zeros that take no room on the disk: converting it takes a while.
void write_large_model(const std::string& directory) {
  constexpr int kInner = 1 << 18, kLayers = 64;
  HuggingFaceMarian model;
  model.config["encoder_layers"] = kLayers;
  model.config["encoder_ffn_dim"] = kInner;
  model.write(directory);
  nlohmann::json header;
  std::int64_t end = 0;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    std::int64_t bytes = sizeof(float);
    for (const std::int64_t size : shape) bytes *= size;
    header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
    end += bytes;
  };
  for (const auto& [name, array] : model.arrays) {
    const std::string first = "model.encoder.layers.0.";
    std::vector<std::int64_t> shape;
    for (int i = 0; i < array.shape.rank(); ++i) shape.push_back(array.shape[i]);
    if (!name.starts_with(first)) {
      add(name, shape);
      continue;
    }
    for (std::int64_t& size : shape) size = size == HuggingFaceMarian::kInner ? kInner : size;
    for (int layer = 0; layer < kLayers; ++layer)
      add(concat("model.encoder.layers.", layer, ".", name.substr(first.size())), shape);
  }
  const std::string file = directory + "/model.safetensors", bytes = safetensors_bytes(header.dump(), "");
  write_file(file, bytes);
  std::filesystem::resize_file(file, bytes.size() + index(end));
}

struct InterruptedOutput : testing::Test {
  /// Starts a command, and signals it as soon as `watched` has this number of files. The exit status.
  int interrupted(const std::vector<std::string>& words, const std::string& watched, int signal,
                  std::size_t files = 1) const {
    std::vector<std::string> command{"/usr/bin/env", "TMPDIR=" + temporary,
                                     "GLOSS_IMPORT_CACHE=", kGlossBinary};
    command.insert(command.end(), words.begin(), words.end());
    StartedProgram program(command, folder / "errors");
    while (program.runs() && names_in(watched).size() < files)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    program.send(signal);
    return program.wait();
  }
  std::string errors() const { return folder.read("errors"); }

  TemporaryDirectory folder;
  std::string temporary = folder / "temporary", outputs = folder / "outputs";

  InterruptedOutput() {
    for (const std::string& directory : {temporary, outputs}) std::filesystem::create_directory(directory);
  }
};

TEST_F(InterruptedOutput, TemporaryConversionsLeaveNothing) {
  write_large_model(folder / "large");
  EXPECT_EQ(interrupted({"translate", "-m", folder / "large"}, temporary, SIGTERM), 128 + SIGTERM);
  EXPECT_EQ(names_in(temporary), std::vector<std::string>{});
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(interrupted({"finetune", "--model", folder / "large", "--task", "translate", "--source",
                         "/dev/null", "--target", "/dev/null", "-o", outputs + "/run"},
                        temporary, SIGHUP),
            128 + SIGHUP);
  EXPECT_EQ(names_in(temporary), std::vector<std::string>{});
}

TEST_F(InterruptedOutput, TheNextModelAtTheSamePlaceRemovesWhatIsLeft) {
  write_large_model(folder / "large");
  HuggingFaceMarian().write(folder / "small");
  EXPECT_EQ(interrupted({"import", folder / "large", "-o", outputs + "/model"}, outputs, SIGINT, 2),
            128 + SIGINT);
  EXPECT_EQ(names_in(outputs + "/model"), std::vector<std::string>{});
  EXPECT_EQ(names_in(outputs).size(), 2U) << "the empty directory and what is half written";
  const ProgramResult next =
      run_program({kGlossBinary, "import", folder / "small", "-o", outputs + "/model"});
  EXPECT_EQ(next.status, 0) << next.errors;
  EXPECT_EQ(names_in(outputs), std::vector<std::string>{"model"});
}

TEST_F(InterruptedOutput, OldModelsStay) {
  write_large_model(folder / "large");
  const std::string output = outputs + "/model", inside = output + "/config.json";
  std::filesystem::create_directory(output);
  write_file(inside, "{}");
  // The temporary directory is beside the old model.
  const auto watch_both = [&] { return names_in(outputs).size() > 1; };
  StartedProgram program({kGlossBinary, "import", folder / "large", "-o", output, "--overwrite"},
                         folder / "errors");
  while (program.runs() && !watch_both()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait(), 128 + SIGTERM);
  EXPECT_EQ(names_in(output), std::vector<std::string>{"config.json"});
  EXPECT_EQ(read_file(inside), "{}");
}

TEST_F(InterruptedOutput, FilesThatCannotBeContinuedHaveNoName) {
  const Subwords vocabulary = small_vocabulary(330, true);
  std::filesystem::create_directory(folder / "model");
  write_untrained_model(folder / "model", vocabulary, vocabulary);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int open_end = open((folder / "pipe").c_str(), O_RDWR | O_CLOEXEC);  // nobody writes
  const std::string line = "the small dog\n";
  const std::string text = folder.write("text", line + line + line + line);
  const std::map<int, std::vector<std::string>> commands{
      {SIGINT, {"score", "--summary", "-o", outputs + "/out"}},
      {SIGTERM, {"align", "--html", outputs + "/out"}}};
  for (const auto& [signal, begin] : commands) {
    const auto with_source = [&, begin = begin](const std::string& source) {
      std::vector<std::string> words = begin;
      words.insert(words.end(), {"-m", folder / "model", "--source", source, "--target", text});
      return words;
    };
    // The source begins, and then nobody writes.
    ASSERT_EQ(write(open_end, line.data(), line.size()), std::ssize(line));
    EXPECT_EQ(interrupted(with_source(folder / "pipe"), outputs, signal), 128 + signal);
    EXPECT_FALSE(std::filesystem::exists(outputs + "/out")) << errors();
    EXPECT_EQ(names_in(outputs).size(), 1U);
    std::vector<std::string> whole = with_source(text);
    whole.insert(whole.begin(), kGlossBinary);
    const ProgramResult next = run_program(whole);
    EXPECT_EQ(next.status, 0) << next.errors;
    EXPECT_EQ(names_in(outputs), std::vector<std::string>{"out"}) << "what was left is removed";
    std::filesystem::remove(outputs + "/out");
  }
  close(open_end);
}

TEST_F(InterruptedOutput, WithoutOutputsNothingIsPrinted) {
  // The text comes from a pipe into which nobody writes.
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int open_end = open((folder / "pipe").c_str(), O_RDWR | O_CLOEXEC);
  StartedProgram program({kGlossBinary, "vocab", "--input", folder / "pipe", "-o", folder / "vocabulary"},
                         folder / "errors");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait(), 128 + SIGTERM);
  EXPECT_EQ(errors(), "");
  close(open_end);
}

}  // namespace
}  // namespace gloss
