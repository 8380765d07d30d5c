// SPDX-License-Identifier: Apache-2.0
// Models whose layers have other mixers than self-attention, through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "model/networks/mixers/mixers.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct MixerOptions {
  std::string name;
  std::vector<std::string> words;
};
std::ostream& operator<<(std::ostream& out, const MixerOptions& options) { return out << options.name; }

struct TrainMixers : TrainCommand, testing::WithParamInterface<MixerOptions> {};

TEST_P(TrainMixers, LearnsTwentyLinesByHeart) {
  const Text twenty = number_words(20, 3);
  folder.write("train.en", twenty.english);
  folder.write("train.de", twenty.german);
  std::vector<std::string> options{"--max-updates",       "250", "--valid-interval", "250",
                                   "--label-smoothing",   "0",   "--dropout",        "0",
                                   "--embedding-dropout", "0"};
  options.insert(options.end(), GetParam().words.begin(), GetParam().words.end());
  const ProgramResult trained = train("run", options);
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const auto translated = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"translate", "--max-length", "20", "-m"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, twenty.english);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  expect_nearly(translated({folder / "run"}), twenty.german);
  expect_nearly(translated({folder / "run", "--batch-size", "1", "-j", "2", "--beam-size", "1"}),
                twenty.german);
  ASSERT_EQ(gloss({"quantize", "-m", folder / "run", "--type", "int8", "--output", folder / "int8"}).status,
            0);
  const std::string stored = translated({folder / "int8"});
  EXPECT_FALSE(stored.empty());
  EXPECT_EQ(stored, translated({folder / "run", "--precision", "int8"}));
}

const std::vector<MixerOptions> kMixerOptions{
    {"local", {"--encoder-mixers", "local", "--attention-window", "3"}},
    {"linear", {"--encoder-mixers", "linear", "--random-features", "32"}},
    {"lightweight", {"--encoder-mixers", "lightweight", "--kernel-widths", "5"}},
    {"dynamic", {"--encoder-mixers", "dynamic"}},
    {"gated_convolution", {"--encoder-mixers", "gated-convolution"}},
    {"bytenet", {"--encoder-mixers", "bytenet", "--dilations", "2", "--source-link", "unfolding"}},
    {"causal_strided", {"--decoder-mixers", "strided", "--attention-stride", "2"}},
    {"fixed",
     {"--encoder-mixers", "fixed", "--decoder-mixers", "fixed", "--attention-block", "4", "--summary-tokens",
      "1"}},
    {"causal_linear", {"--decoder-mixers", "linear", "--random-features", "32"}},
    {"convolutions_of_both_sides",
     {"--encoder-mixers", "lightweight", "--decoder-mixers", "dynamic", "--kernel-widths", "3", "--dilations",
      "1", "2"}},
    {"conformer", {"--encoder-mixers", "conformer", "--activation", "swish", "--positions", "relative"}},
    {"bigbird",
     {"--encoder-mixers", "bigbird", "--attention-block", "1", "--random-blocks", "1", "--global-blocks",
      "1"}},
    {"lsh", {"--encoder-mixers", "lsh", "--attention-block", "1", "--hash-rounds", "2"}},
    {"token_mlp", {"--encoder-mixers", "token-mlp", "--token-window", "4"}},
    {"conv_mixer", {"--encoder-mixers", "conv-mixer", "--kernel-widths", "5"}}};
INSTANTIATE_TEST_SUITE_P(All, TrainMixers, testing::ValuesIn(kMixerOptions),
                         [](const auto& test) { return test.param.name; });

// The mixers of decoders alone are tested as those of students (distillation_test.cc).
TEST(TrainMixersOptions, NameEveryMixerOfEncoders) {
  for (const MixerKind& kind : mixer_kinds()) {
    const auto names = [&](const MixerOptions& options) {
      return std::ranges::count(options.words, kind.name) > 0;
    };
    if (kind.in_encoders && kind.name != "attention") {
      EXPECT_TRUE(std::ranges::any_of(kMixerOptions, names)) << kind.name;
    }
  }
}

TEST_F(TrainCommand, RefusesMixersThatDoNotSuit) {
  const auto expect_refused = [&](const std::vector<std::string>& options, const std::string& part) {
    expect_failure(train("run", options), 2, part);
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
  };
  expect_refused({"--encoder-mixers", "convolutional"}, "'convolutional'; expected attention, conformer");
  expect_refused({"--encoder-mixers", "dynamic", "--kernel-widths", "4"}, "--kernel-widths has '4'");
  expect_refused({"--encoder-mixers", "local", "--attention-window", "0"}, "--attention-window");
  expect_refused({"--encoder-mixers", "local", "--max-positions", "64", "--attention-window", "63"},
                 "--attention-window 63 covers every text");
  expect_refused({"--encoder-mixers", "lsh", "--hash-rounds", "0"}, "--hash-rounds");
  expect_refused({"--encoder-mixers", "bigbird", "--attention-block", "200"},
                 "--attention-block 200 times 8 blocks");
  expect_refused({"--encoder-mixers", "fixed", "--attention-block", "4", "--summary-tokens", "4"},
                 "--summary-tokens 4 are all tokens of an --attention-block of 4");
  expect_refused({"--summary-tokens", "3"},
                 "--summary-tokens has no effect: it needs --encoder-mixers or "
                 "--decoder-mixers fixed");
  expect_refused({"--hash-rounds", "3"}, "--hash-rounds has no effect: it needs --encoder-mixers lsh");
  expect_refused({"--attention-window", "8"},
                 "--attention-window has no effect: it needs --encoder-mixers or --decoder-mixers local");
  expect_refused({"--encoder-mixers", "local,strided,fixed"}, "--encoder-mixers has 3 names");
  expect_refused({"--muon-momentum", "0.9"}, "--muon-momentum has no effect: it needs --optimizer muon");
  expect_refused({"--cooldown", "0.3"}, "--cooldown has no effect: it needs --schedule cooldown");
  expect_refused({"--accumulation-ramp", "30"}, "--accumulation-ramp 30 has no effect");
  expect_refused({"--encoder-mixers", "local,"}, "--encoder-mixers has ''");
  expect_refused({"--decoder-mixers", "conformer"}, "--decoder-mixers has 'conformer'; expected attention");
  expect_refused({"--decoder-mixers", "dynamic", "--kernel-widths", "9", "--dilations", "400"},
                 "dilations has '400'");
  expect_refused({"--kernel-widths", "3"}, "--kernel-widths has no effect: it needs --encoder-mixers");
  expect_refused({"--encoder-mixers", "dynamic", "--positions", "rotary"},
                 "--encoder-mixers without attention have no use for these positions");
  const std::vector<std::string> pretrain{"pretrain", "--input", folder / "train.en", "--output",
                                          folder / "run"};
  std::vector<std::string> causal = pretrain, masked = pretrain;
  causal.insert(causal.end(), {"--objective", "lm", "--encoder-mixers", "local"});
  expect_failure(gloss(causal), 2, "--encoder-mixers has no effect: there is no encoder");
  masked.insert(masked.end(), {"--objective", "mlm", "--layers", "3", "--encoder-mixers", "local", "linear"});
  expect_failure(gloss(masked), 2, "--encoder-mixers has 2 names; expected one, or one for each of 3 layers");
}

TEST_F(TrainCommand, ADecoderWithoutAttentionToTheSourceStillShowsItsOwn) {
  ASSERT_EQ(train("run", {"--source-link", "unfolding", "--max-updates", "2"}).status, 0);
  const auto align = [&](const std::string& side) {
    return gloss({"align", "-m", folder / "run", "--source", folder / "valid.en", "--target",
                  folder / "valid.de", "--attention", side});
  };
  expect_failure(align("cross"), 2, "--source-link unfolding");
  EXPECT_EQ(align("encoder").status, 0);
  EXPECT_EQ(align("decoder").status, 0);
}

TEST_F(TrainCommand, ContinuesWithMixersToTheSameBytes) {
  for (const char* mixer : {"dynamic", "conformer", "linear", "lsh"}) {
    const auto until = [&](const std::string& output, const char* last, const char* threads) {
      const bool both = mixer != std::string("conformer") && mixer != std::string("lsh");
      const ProgramResult result =
          train(output, {"--encoder-mixers", mixer, "--decoder-mixers", both ? mixer : "strided",
                         "--attention-dropout", "0.1", "--max-updates", last, "-j", threads});
      ASSERT_EQ(result.status, 0) << result.errors;
    };
    const std::string whole = concat(mixer, "/whole"), parts = concat(mixer, "/parts");
    until(whole, "8", "1");
    until(parts, "3", "3");
    until(parts, "8", "3");
    EXPECT_EQ(differences(parts + "/last", whole + "/last"), kNone) << mixer;
  }
}

}  // namespace
}  // namespace gloss
