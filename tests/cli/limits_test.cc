// SPDX-License-Identifier: Apache-2.0
// Requests for too much memory: absurd sizes in files, and too many threads.
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class Limits : public UntrainedModels {
 protected:
  /// Runs gloss with a limit in KiB on its address space; does not work with sanitizers.
  static ProgramResult limited(int kibibytes, const std::string& options, const std::string& input) {
    const std::string command = concat("ulimit -v ", kibibytes, "; exec ", kGlossBinary, " ", options);
    return run_program({"/bin/bash", "-c", command}, input);
  }
};

TEST_F(Limits, AsManyThreadsStartAsTheMemoryAllows) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  std::string text;
  for (int line = 0; line < 600; ++line) text += "the cat sat\n";
  const std::string command = concat("translate --max-length 3 -m ", *folder / "a", " -j ");
  const ProgramResult result = limited(1'500'000, command + "512", text);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, limited(1'500'000, command + "1", text).output);
  EXPECT_NE(result.errors.find("--threads 512"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("1464 MiB"), std::string::npos) << result.errors;
}

TEST_F(Limits, ALackOfMemoryIsAnErrorThatNamesTheLimit) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  const TemporaryDirectory files;
  std::string text;
  for (int line = 0; line < 8'000; ++line)
    text += concat("the ", line * line, " cats sat on mat ", line, "\n");
  const std::string input = files.write("text", text);
  int failed = 0, succeeded = 0;
  // Somewhere between the least memory to start and enough, libraries lack memory in each of their parts.
  for (const int kibibytes : {110'000, 135'000, 160'000, 200'000, 300'000}) {
    for (const std::string& command : {concat("translate --max-length 3 -j 2 -m ", *folder / "a"),
                                       concat("vocab --size 500 -i ", input, " -o ", files / "v.model")}) {
      const ProgramResult result = limited(kibibytes, command, "the cat sat\n");
      (result.status == 0 ? succeeded : failed) += 1;
      if (result.status == 0) continue;
      EXPECT_TRUE(result.status == 1 || result.status == 127) << result.status << " " << result.errors;
      if (result.status == 127) continue;  // the system cannot even load the program
      EXPECT_NE(result.errors.find("not enough memory"), std::string::npos) << command << result.errors;
      EXPECT_NE(result.errors.find(concat(kibibytes / 1024, " MiB (ulimit -v)")), std::string::npos)
          << result.errors;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(succeeded, 0);
}

TEST_F(Limits, ALongLineIsCutAndCostsLittle) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  const TemporaryDirectory files;
  const std::string tokenizer = *folder / "a/tokenizer.model";
  const std::string input = files.write("text", "cat\n" + std::string(8 << 20, 'a') + "\nthe cat\n");
  const ProgramResult encoded =
      limited(1'000'000, concat("encode -j 2 --output-type id -t ", tokenizer, " ", input), "");
  EXPECT_EQ(encoded.status, 0) << encoded.errors;
  EXPECT_EQ(output_lines(encoded.output).size(), 3u);
  EXPECT_NE(encoded.errors.find(input + ":2"), std::string::npos) << encoded.errors;
  EXPECT_NE(encoded.errors.find("4194304"), std::string::npos) << encoded.errors;
  const ProgramResult cut = limited(
      1'000'000, concat("translate --max-line-bytes 7 --max-length 3 -m ", *folder / "a", " ", input), "");
  EXPECT_EQ(cut.status, 0) << cut.errors;
  EXPECT_EQ(output_lines(cut.output).size(), 3u);
  EXPECT_NE(cut.errors.find(input + ":2"), std::string::npos) << cut.errors;
  EXPECT_NE(cut.errors.find("7 bytes"), std::string::npos) << cut.errors;
}

TEST_F(Limits, AbsurdSizesInFilesAllocateNoMemory) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  const TemporaryDirectory files;
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.model"}) {
    std::filesystem::copy(*folder / (std::string("a/") + name), files / name);
  }
  const auto expect_refused = [&](const std::string& name, const std::string& bytes) {
    const std::string whole = files.read(name);
    files.write(name, bytes);
    const ProgramResult result = limited(400'000, "translate -m " + files.path(), "cat\n");
    expect_failure(result, 3, files.path());  // the message also names the file
    files.write(name, whole);
  };
  ASSERT_EQ(limited(400'000, "translate -m " + files.path(), "cat\n").status, 0);
  const nlohmann::json config = nlohmann::json::parse(files.read("config.json"));
  for (const auto& [member, value] : {std::pair("width", 65536),
                                      {"feed_forward_width", 262144},
                                      {"target_vocabulary", 16'000'000},
                                      {"encoder_layers", 1000},
                                      {"max_positions", 1 << 20}}) {
    nlohmann::json changed = config;
    changed["network"][member] = value;
    if (std::string(member) == "width") changed["network"]["max_positions"] = 200;
    expect_refused("config.json", changed.dump());
  }
  const auto header = [](const std::string& text) {
    std::string bytes(8, '\0');
    const std::uint64_t length = text.size();
    std::memcpy(bytes.data(), &length, 8);
    return bytes + text;
  };
  std::string repeated = "{\"format\": 1, \"x\": [{}";
  for (int i = 0; i < 270'000; ++i) repeated += ",{}";
  expect_refused("config.json", repeated + "], \"format\": 1}");
  expect_refused("model.safetensors", header("{\"a\":[" + repeated + "]}]}"));
  expect_refused("model.safetensors", std::string(7, '\xff') + "\x7f{}");
  expect_refused("model.safetensors",
                 header(R"({"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}})"));
  // The vocabulary: a piece with a size of 2 GiB.
  expect_refused("tokenizer.model", std::string("\x0a\xff\xff\xff\xff\x07", 6) + "piece");
}

TEST_F(Limits, TheMessageNamesWhatWasAskedForAndUsed) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  const TemporaryDirectory files;
  const std::string huge = files.write("huge.model", "");
  std::filesystem::resize_file(huge, 3LL << 30);  // takes no room on the disk
  const ProgramResult result = limited(1'000'000, "encode -j 1 -t " + huge, "cat\n");
  EXPECT_EQ(result.status, 1) << result.errors;
  for (const char* part : {"3072 MiB more", "976 MiB (ulimit -v)", " MiB were in use"})
    EXPECT_NE(result.errors.find(part), std::string::npos) << part << " in " << result.errors;
}

TEST_F(Limits, ALackOfThreadsIsNoLackOfMemory) {
  // Root may start any number of threads.
  std::vector<std::string> command{"/bin/bash", "-c", "exec \"$0\" \"$@\"", kGlossBinary, "--version"};
  if (::geteuid() == 0)
    command.insert(command.begin(), {"/usr/bin/setpriv", "--reuid=65534", "--clear-groups"});
  if (!std::filesystem::exists(command.front()) || run_program(command).status != 0)
    GTEST_SKIP() << "cannot run gloss as another user";
  command[command.size() - 3] = "ulimit -u 1; exec \"$0\" \"$@\"";
  const ProgramResult result = run_program(command);
  EXPECT_EQ(result.status, 1) << result.errors;
  EXPECT_NE(result.errors.find("thread"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("ulimit -u"), std::string::npos) << result.errors;
  EXPECT_EQ(result.errors.find("memory"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace gloss
