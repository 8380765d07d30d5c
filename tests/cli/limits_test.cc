// SPDX-License-Identifier: Apache-2.0
// Requests for too much memory: absurd sizes in files, and too many threads.
#include <nlohmann/json.hpp>

#include <cstring>

#include "tests/support/untrained_program.h"

#if defined(__SANITIZE_ADDRESS__)
#define GLOSS_SANITIZED 1
#endif

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

TEST_F(Limits, TooManyThreadsForTheMemoryAreAnErrorAndNoCrash) {
#ifdef GLOSS_SANITIZED
  GTEST_SKIP() << "a sanitizer needs more addresses than are left";
#endif
  std::string text;
  for (int line = 0; line < 600; ++line) text += "the cat sat\n";
  const ProgramResult result =
      limited(1'500'000, concat("translate --max-length 3 -j 512 -m ", *folder / "a"), text);
  expect_failure(result, 1, "512 threads");
  EXPECT_NE(result.errors.find("--threads"), std::string::npos) << result.errors;
  // This number of threads can start, but has not enough memory to work.
  const ProgramResult fewer =
      limited(1'500'000, concat("translate --max-length 3 -j 60 -m ", *folder / "a"), text);
  expect_failure(fewer, 1, "60 threads");
  EXPECT_EQ(result.output, "");
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
  const auto header = [](const std::string& json) {
    std::string bytes(8, '\0');
    const std::uint64_t length = json.size();
    std::memcpy(bytes.data(), &length, 8);
    return bytes + json;
  };
  expect_refused("model.safetensors", std::string(7, '\xff') + "\x7f{}");
  expect_refused("model.safetensors",
                 header(R"({"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}})"));
  // The vocabulary: a piece with a size of 2 GiB.
  expect_refused("tokenizer.model", std::string("\x0a\xff\xff\xff\xff\x07", 6) + "piece");
}

}  // namespace
}  // namespace gloss
