// SPDX-License-Identifier: Apache-2.0
// Files in /dev/shm are files, not devices; what is a device or a pipe is written directly anywhere.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/line_models.h"
#include "tests/support/mpirun.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct SharedMemory : testing::Test {
  void SetUp() override {
    if (access("/dev/shm", W_OK) != 0) {
      std::cerr << "/dev/shm is not writable: outputs in it ARE NOT TESTED\n";
      GTEST_SKIP() << "needs /dev/shm";
    }
    std::string pattern = "/dev/shm/gloss-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    shared = pattern;
    write_line_models(folder);
    std::string text;
    for (int i = 0; i < 90; ++i) text += concat("the small dog ", i, "\n");
    folder.write("text", text);
    const ProgramResult whole = translate({"-o", folder / "whole"});
    ASSERT_EQ(whole.status, 0) << whole.errors;
  }
  void TearDown() override {
    if (!shared.empty()) fs::remove_all(shared);
  }
  Words command(const Words& more) const {
    Words words{kGlossBinary,   "translate", "-m", folder / "model",
                "--max-length", "9",         "-i", folder / "text"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProgramResult translate(const Words& more) const { return run_program(command(more)); }
  std::string whole() const { return folder.read("whole"); }

  TemporaryDirectory folder;
  std::string shared;
};

TEST_F(SharedMemory, HasTheShardsOfAnOutput) {
  const std::string output = shared + "/out", report = shared + "/report";
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const ProgramResult result = translate({"-o", output, "--report", report, "--shard", shard, "--resume"});
    EXPECT_EQ(result.status, 0) << result.errors;
  }
  EXPECT_EQ(names_in(shared).size(), 12u) << "outputs, reports and their records";
  const ProgramResult again = translate({"-o", output, "--report", report, "--shard", "2/3", "--resume"});
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(has(again.errors, "is complete")) << again.errors;
  for (const std::string& path : {output, report}) {
    const ProgramResult merged = run_program({kGlossBinary, "merge", "-o", path, "--remove"});
    EXPECT_EQ(merged.status, 0) << merged.errors;
  }
  EXPECT_EQ(read_file(output), whole());
  EXPECT_EQ(names_in(shared).size(), 2u);
}

TEST_F(SharedMemory, HasTheOutputOfRanks) {
  if (kMpirun == nullptr) {
    std::cerr << "gloss was built without MPI: mpirun gloss translate IS NOT TESTED\n";
    GTEST_SKIP() << "needs libopenmpi-dev and openmpi-bin, and a build after they were installed";
  }
  let_mpirun_start_here();
  Words words{kMpirun, "-n", "3"};
  const Words translation = command({"-o", shared + "/out", "-j", "1"});
  words.insert(words.end(), translation.begin(), translation.end());
  const ProgramResult result = run_program(words);
  detect_leaks_again();
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "3 ranks")) << result.errors;
  EXPECT_EQ(read_file(shared + "/out"), whole());
  EXPECT_EQ(names_in(shared), Words{"out"});
}

TEST_F(SharedMemory, HasAnOutputThatIsContinued) {
  const std::string output = shared + "/out";
  ASSERT_EQ(translate({"-o", output}).status, 0);
  EXPECT_EQ(read_file(output), whole());
  write_file(output + ".partial", "a line of an unknown run\n");
  const ProgramResult refused = translate({"-o", output, "--resume"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.errors, output + ".partial.run")) << refused.errors;
}

TEST_F(SharedMemory, DevicesAndPipesHaveOneNameForAllShards) {
  const std::string pipe = shared + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string text;
  for (const char* shard : {"1/2", "2/2"}) {
    EXPECT_EQ(translate({"-o", "/dev/null", "--shard", shard}).status, 0);
    text += translate({"-o", "/dev/stdout", "--shard", shard}).output;
  }
  EXPECT_EQ(text, whole());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const std::string all = join(command({"-q", "--shard", "1/1", "-o "}), " ");
  const auto shell = [&](const std::string& script) {
    const ProgramResult result = run_program({"/bin/bash", "-c", script});
    EXPECT_EQ(result.status, 0) << script << result.errors;
    return result.output;
  };
  EXPECT_EQ(shell("cat " + pipe + " & " + all + pipe + "; wait"), whole());
  EXPECT_EQ(shell(all + ">(cat); wait $!"), whole());
  EXPECT_EQ(shell(all + "/dev/fd/3 3>&1 > /dev/null"), whole());
  EXPECT_EQ(names_in(shared), Words{"pipe"});
  const ProgramResult refused = translate({"-o", "/dev/null", "--resume"});
  EXPECT_EQ(refused.status, 2);
}

}  // namespace
}  // namespace gloss
