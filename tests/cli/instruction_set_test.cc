// SPDX-License-Identifier: Apache-2.0
// GLOSS_MAX_ISA, and the same bytes with every instruction set, through the real binary.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/tensor/matmul.h"
#include "tests/cli/train_command.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

ProgramResult limited(const std::string& limit, std::vector<std::string> words,
                      const std::string& input = "") {
  words.insert(words.begin(), kGlossBinary);
  return run_program(words, input, {"GLOSS_MAX_ISA=" + limit});
}

TEST(InstructionSetLimit, AnUnknownValueIsAnErrorOfEveryCommand) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--version"}, {"translate", "--help"}, {"encode"}}) {
    const ProgramResult result = limited("sse9", words);
    EXPECT_EQ(result.status, 2) << result.errors;
    for (const std::string expected : {"GLOSS_MAX_ISA", "'sse9'", "native"}) {
      EXPECT_NE(result.errors.find(expected), std::string::npos) << result.errors;
    }
  }
}

#if defined(__x86_64__)
TEST(InstructionSetLimit, TheVersionShowsTheSetsInUseAndTheLimit) {
  const ProgramResult result = limited("avx2", {"--version"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("avx2 (gloss), avx2 (oneDNN), limited by GLOSS_MAX_ISA=avx2\n"),
            std::string::npos)
      << result.output;
}

/// Limits that work on every processor that gloss supports.
const std::vector<std::string> kLimits{"portable", "avx2", "avxvnni", "avx512"};

struct LimitedModels : UntrainedModels {
  static std::string lines() {
    std::string text;
    for (int i = 0; i < 70; ++i) text += std::string(index(1 + i % 9), "aths.dg"[i % 7]) + " cat one dog\n";
    return text;
  }
};

TEST_F(LimitedModels, TranslationsDoNotDependOnBatchesAndThreads) {
  for (const std::string& limit : kLimits) {
    const auto translated = [&](const std::vector<std::string>& options) {
      std::vector<std::string> words{"translate",    "-m", *folder / "a", "--quiet", "--scores",
                                     "--max-length", "8",  "--precision", "f32"};
      words.insert(words.end(), options.begin(), options.end());
      const ProgramResult result = limited(limit, words, lines());
      EXPECT_EQ(result.status, 0) << result.errors;
      return result.output;
    };
    const std::string expected = translated({"-j", "1", "--batch-size", "1"});
    for (const std::string batch : {"2", "7", "64"}) {
      for (const std::string threads : {"1", "3"}) {
        EXPECT_EQ(translated({"-j", threads, "--batch-size", batch}), expected)
            << limit << ", batches of " << batch << ", " << threads << " threads";
      }
    }
  }
}

TEST_F(LimitedModels, VectorsDoNotDependOnThreads) {
  for (const std::string& limit : kLimits) {
    const auto embedded = [&](const std::string& threads) {
      const ProgramResult result = limited(
          limit, {"embed", "-m", *folder / "a", "--quiet", "--precision", "f32", "-j", threads}, lines());
      EXPECT_EQ(result.status, 0) << result.errors;
      return result.output;
    };
    const std::string expected = embedded("1");
    for (const std::string threads : {"2", "3"}) EXPECT_EQ(embedded(threads), expected) << limit;
  }
}

TEST_F(LimitedModels, Int8IsComputedInInt8) {
  for (const std::string& limit : kLimits) {
    const std::string small = *folder / ("int8." + limit);
    const ProgramResult made =
        limited(limit, {"quantize", "-m", *folder / "a", "-o", small, "--type", "int8"});
    ASSERT_EQ(made.status, 0) << made.errors;
    const auto translated = [&](std::vector<std::string> options) {
      options.insert(options.begin(), {"translate", "-m", small, "--scores", "--max-length", "8"});
      return limited(limit, options, lines());
    };
    const ProgramResult chosen = translated({}), named = translated({"--precision", "int8"});
    EXPECT_EQ(chosen.status, 0) << chosen.errors;
    EXPECT_EQ(chosen.output, named.output) << limit;
    EXPECT_NE(chosen.output, translated({"--precision", "f32"}).output) << limit;
    EXPECT_EQ(chosen.errors.find("int8"), std::string::npos) << chosen.errors;
  }
}

struct LimitedTraining : TrainCommand {};

TEST_F(LimitedTraining, OneShardDoesNotDependOnThreads) {
  for (const std::string& limit : kLimits) {
    for (const std::string threads : {"1", "2", "3"}) {
      std::vector<std::string> words =
          command(limit + threads,
                  {"--gradient-shards", "1", "--precision", "f32", "--max-updates", "12", "-j", threads});
      words.erase(words.begin());
      const ProgramResult result = limited(limit, words);
      ASSERT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(differences(limit + threads + "/last", limit + "1/last"), std::vector<std::string>())
          << limit << ", " << threads << " threads";
    }
  }
}
#endif

}  // namespace
}  // namespace gloss
