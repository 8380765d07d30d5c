// SPDX-License-Identifier: Apache-2.0
// GLOSS_MAX_ISA, and the same bytes with every instruction set, through the real binary.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/kernels/instruction_set.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "tests/cli/classify_command.h"
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
  static std::string lines(int count = 70) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += std::string(index(1 + i % 9), "aths.dg"[i % 7]) + " cat one dog\n";
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

/// The limits that differ on this processor, from the slowest to the fastest.
std::vector<std::string> limits_of_processor() {
  std::vector<std::string> limits;
  for (const InstructionSet set :
       {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avxvnni, InstructionSet::avx512,
        InstructionSet::avx512_vnni, InstructionSet::avx512_bf16}) {
    if (processor_has(set)) limits.emplace_back(name_of(set));
  }
  return limits;
}

/// Expects the same output of a command in int8 with every instruction set.
void expect_one_output(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.end(), {"--quiet", "--precision", "int8", "-j", "1"});
  std::string expected;
  for (const std::string& limit : limits_of_processor()) {
    const ProgramResult result = limited(limit, words, input);
    ASSERT_EQ(result.status, 0) << join(words, " ") << "\n" << result.errors;
    EXPECT_NE(result.output, "") << join(words, " ");
    if (expected.empty()) expected = result.output;
    EXPECT_TRUE(result.output == expected) << limit << ": " << join(words, " ");
  }
}

/// Networks whose widths and heads are no multiples of a vector.
std::vector<std::pair<std::string, NetworkSettings>> uneven_networks(const Subwords& words) {
  NetworkSettings small = small_network(words, words);
  small.sizes.width = 52;
  auto& own = small.own<TransformerSettings>();
  own.feed_forward_width = 70;
  own.norm = NormPlacement::pre;
  own.norm_type = NormType::rms;
  own.gated_feed_forward = true;
  own.activation = Activation::gelu_exact;
  own.positions = Positions::rotary;
  NetworkSettings mixed = small;
  mixed.sizes.encoder_layers = 9;
  mixed.sizes.decoder_layers = 5;
  auto& mixers = mixed.own<TransformerSettings>();
  mixers.encoder_mixers = {"local", "dynamic", "linear",    "bigbird",  "lsh",
                           "fixed", "bytenet", "token-mlp", "conformer"};
  mixers.decoder_mixers = {"attention", "lightweight", "linear", "ssru", "average"};
  mixers.norm_type = NormType::layer;
  mixers.activation = Activation::swish;
  mixers.positions = Positions::relative;
  mixers.local.window = 3;
  mixers.attention_block = 5;
  mixers.fixed.summary_tokens = 2;
  NetworkSettings recurrent = small_network(words, words);
  recurrent.architecture = "recurrent";
  recurrent.sizes.encoder_layers = recurrent.sizes.decoder_layers = 2;
  recurrent.sizes.heads = 1;
  recurrent.sizes.width = 44;
  recurrent.own<RecurrentSettings>().cell = Cell::lstm;
  return {{"uneven", small}, {"mixed", mixed}, {"recurrent", recurrent}};
}

TEST_F(LimitedModels, TheBytesOfInt8AreThoseOfEveryInstructionSet) {
  const Subwords words = small_vocabulary(60);
  const std::string text = lines(18);
  for (const auto& [name, settings] : uneven_networks(words)) {
    const std::string model = *folder / name, source = folder->write("source", text);
    std::filesystem::create_directory(model);
    write_random_model(model, settings, words, words, 7);
    const std::vector<std::string> translate{"translate", "-m", model, "--max-length", "9"},
        pairs{"-m", model, "--source", source, "--target", source};
    const auto with = [](std::vector<std::string> first, const std::vector<std::string>& more) {
      first.insert(first.end(), more.begin(), more.end());
      return first;
    };
    expect_one_output(with(translate, {"--scores"}), text);
    expect_one_output(with(translate, {"--beam-size", "4", "--n-best", "4"}), text);
    expect_one_output(with(translate, {"--sample", "--seed", "3", "--scores"}), text);
    expect_one_output(with({"score", "--word-scores"}, pairs));
    expect_one_output(with({"align"}, pairs));
    if (name == "uneven")
      expect_one_output(with(translate, {"--beam-size", "1", "--scores", "--draft", model}), text);
    expect_one_output({"embed", "-m", model}, text);
  }
  expect_one_output({"generate", "-m", *folder / "lm", "--max-tokens", "9", "--scores"}, text);
  expect_one_output({"generate", "-m", *folder / "lm", "--max-tokens", "9", "--sample"}, text);
}

struct LimitedEncoders : ClassifyCommand {};

TEST_F(LimitedEncoders, TheBytesOfInt8AreThoseOfEveryInstructionSet) {
  ASSERT_EQ(finetune("run", {"--max-updates", "2"}).status, 0);
  ASSERT_EQ(pretrain("masked", {"--objective", "mlm", "--max-updates", "2"}).status, 0);
  std::string text, gaps;
  for (int i = 0; i < 20; ++i) {
    text += concat("seven cats and ", i, " dogs\n");
    gaps += concat("seven <mask> and ", i, " <mask>\n");
  }
  expect_one_output({"classify", "-m", folder / "run", "--format", "json"}, text);
  expect_one_output({"fill", "-m", folder / "masked", "--format", "json"}, gaps);
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
