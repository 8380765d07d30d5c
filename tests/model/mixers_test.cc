// SPDX-License-Identifier: Apache-2.0
// The mixers of layers: the settings that do not suit them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "model/networks/mixers/mixers.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

using Change = std::function<void(NetworkSettings&, TransformerSettings&)>;
using Names = std::vector<std::string>;

NetworkSettings with(const Change& change) {
  NetworkSettings s = small_settings();
  change(s, s.own<TransformerSettings>());
  return s;
}

/// The message of UsageError of the check of these settings.
std::string refusal(const Change& change) {
  try {
    check(with(change));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Mixers, SettingsThatDoNotSuitAreRefusedWithTheReason) {
  const auto expect_refused = [](const Change& change, const std::string& part) {
    EXPECT_NE(refusal(change).find(part), std::string::npos) << refusal(change) << "\nexpected: " << part;
  };
  expect_refused([](auto&, auto& own) { own.encoder_mixers = {"convolution"}; },
                 concat("encoder_mixers has 'convolution'; expected ", mixer_names(/*causal=*/false)));
  expect_refused([](auto&, auto& own) { own.encoder_mixers = {"ssru"}; }, "encoder_mixers has 'ssru'");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"local", "local", "local"};
      },
      "encoder_mixers has 3 names; expected one, or one for each of 2 layers");
  expect_refused([](auto&, auto& own) { own.encoder_mixers = {}; }, "encoder_mixers has 0 names");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"local", "attention"};
        own.local.window = 5;
        own.encoder_layer_weights = {"1", "1"};
      },
      "'attention' for layer 2 and 'local' for layer 1, which share their weights");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"local"};
        own.local.window = 39;
      },
      "attention_window 39 covers every text of at most max_positions 40");
  for (const char* width : {"4", "0", "-3", "x", "3.0", "81", ""}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.encoder_mixers = {"dynamic"};
          own.kernels.widths = {width};
        },
        concat("kernel_widths has '", width, "'; expected odd numbers from 1 to 79"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"lightweight", "attention"};
        own.kernels.widths = {"3", "5"};
      },
      "kernel_widths has 2 numbers; expected one, or one for each of 1 convolutional layers");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"lightweight"};
        own.kernels.widths = {"3", "5"};
        own.encoder_layer_weights = {"1", "1"};
      },
      "kernel_widths has 5 for layer 2 and 3 for layer 1, which share their weights");
  expect_refused(
      [](auto& s, auto& own) {
        own.encoder_mixers = {"lightweight", "attention"};
        own.head_width = 8;
        s.sizes.heads = 5;
      },
      "width 32 is not divisible by heads 5");
  expect_refused(
      [](auto& s, auto& own) {
        own.encoder_mixers = {"linear"};
        own.linear.features = 4096;
        s.sizes.width = 4096;
      },
      "random_features 4096 for heads of width 1024 are 4194304 numbers, more than 65536");
  expect_refused([](auto&, auto& own) { own.encoder_mixers = {"strided"}, own.strided.stride = 40; },
                 "attention_stride 40 reaches beyond every text of at most max_positions 40");
  const auto fixed = [](int block, int summary) {
    return [=](auto&, auto& own) {
      own.encoder_mixers = {"fixed"}, own.attention_block = block, own.fixed.summary_tokens = summary;
    };
  };
  expect_refused(fixed(40, 2), "attention_block 40 covers every text of at most max_positions 40");
  expect_refused(fixed(5, 5), "summary_tokens 5 are all tokens of an attention_block of 5");
  for (const char* dilation : {"0", "-1", "x", "20", "1000000000000"}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.encoder_mixers = {"dynamic"};
          own.kernels.widths = {"5"};
          own.kernels.dilations = {dilation};
        },
        concat("dilations has '", dilation, "' for a kernel of 5 rows"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"dynamic"};
        own.kernels.widths = {"1"};
        own.kernels.dilations = {"4"};
      },
      "dilations has '4' for a kernel of 1 row");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"dynamic"};
        own.kernels.dilations = {"1", "2"};
        own.encoder_layer_weights = {"1", "1"};
      },
      "dilations has 2 for layer 2 and 1 for layer 1, which share their weights");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"bigbird"};
        own.attention_block = 5;
      },
      "attention_block 5 times 8 blocks (2 window_blocks 1 + 1 + global_blocks 2 + random_blocks 3) covers");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"lsh"};
        own.attention_block = 14;
      },
      "attention_block 14 times 3 covers every text of at most max_positions 40");
  expect_refused(
      [](auto& s, auto& own) {
        own.encoder_mixers = {"lsh"};
        own.attention_block = 1;
        own.lsh.rounds = 64;
        s.sizes.max_positions = 1 << 18;
      },
      "more than 1048576");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"token-mlp"};
        own.token_mlp.window = 41;
      },
      "token_window 41 is larger than every text of at most max_positions 40");
  for (const Positions positions : {Positions::relative, Positions::rotary, Positions::alibi}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.encoder_mixers = {positions == Positions::rotary ? "lsh" : "dynamic"};
          own.attention_block = 4;
          own.positions = positions;
        },
        "encoder_mixers without attention have no use for these positions");
  }
}

TEST(Mixers, SettingsThatDoNotSuitDecodersAreRefusedWithTheReason) {
  const auto expect_refused = [](const Change& change, const std::string& part) {
    EXPECT_NE(refusal(change).find(part), std::string::npos) << refusal(change) << "\nexpected: " << part;
  };
  for (const Positions positions : {Positions::relative, Positions::alibi, Positions::buckets}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.decoder_mixers = {"fixed"}, own.attention_block = 5, own.fixed.summary_tokens = 1;
          own.positions = positions;
        },
        "decoder_mixers fixed has no positions by distance");
  }
  for (const std::string mixer : {"conformer", "recurrence"}) {
    expect_refused([&](auto&, auto& own) { own.decoder_mixers = {mixer}; },
                   concat("decoder_mixers has '", mixer, "'; expected ", mixer_names(/*causal=*/true)));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"ssru", "average"};
      },
      "decoder_mixers has 2 names; expected one, or one for each of 3 layers");
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"ssru", "average", "ssru"};
        own.decoder_layer_weights = {"1", "1", "2"};
      },
      "'average' for layer 2 and 'ssru' for layer 1, which share their weights by decoder_layer_weights");
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"local"};
        own.local.window = 39;
      },
      "attention_window 39 covers every text");
  for (const char* width : {"0", "41", "x"}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.decoder_mixers = {"dynamic"};
          own.kernels.widths = {width};
        },
        concat("kernel_widths has '", width, "'; expected numbers from 1 to 40"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = own.decoder_mixers = {"lightweight"};
        own.kernels.widths = {"3", "3"};
      },
      "kernel_widths has 2 numbers; expected one, or one for each of 5 convolutional layers");
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"gated-convolution"};
        own.kernels.widths = {"4"};
        own.kernels.dilations = {"14"};
      },
      "dilations has '14' for a kernel of 4 rows");
  expect_refused(
      [](auto& s, auto& own) {
        own.decoder_mixers = {"linear"};
        own.head_width = 8;
        own.decoder_heads = 5;
        s.sizes.heads = 4;
      },
      "width 32 is not divisible by heads 5");
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"dynamic"};
        own.positions = Positions::rotary;
      },
      "decoder_mixers without attention have no use for these positions");
  EXPECT_EQ(refusal([](auto&, auto& own) {
              own.decoder_mixers = {"dynamic", "local", "ssru"};
              own.local.window = 4;
              own.positions = Positions::rotary;
            }),
            "accepted");
}

TEST(Mixers, SettingsWithoutEffectAreRefused) {
  const auto refused = [](const NetworkSettings& settings, const std::string& name) -> std::string {
    try {
      refuse_unused(settings, [&](const std::string& given) { return given == name; });
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expect_has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nexpected: " << part;
  };
  for (const MixerKind& kind : mixer_kinds()) {
    if (!kind.kernel_widths.empty()) expect_has(refused(small_settings(), "kernel_widths"), kind.name);
  }
  expect_has(refused(small_settings(), "attention_window"),
             "it needs --encoder-mixers or --decoder-mixers local");
  expect_has(refused(small_settings(), "average_width"), "it needs --decoder-mixers average");
  expect_has(refused(small_settings(), "dilations"), "it needs --encoder-mixers conformer");
  expect_has(refused(small_settings(), "random_blocks"), "it needs --encoder-mixers bigbird");
  expect_has(refused(small_settings(), "attention_block"),
             "it needs --encoder-mixers fixed, bigbird or lsh, or --decoder-mixers fixed");
  expect_has(refused(small_settings(), "hash_rounds"), "it needs --encoder-mixers lsh");
  expect_has(refused(small_settings(), "token_window"), "it needs --encoder-mixers token-mlp");
  NetworkSettings convolutions = small_settings();
  convolutions.own<TransformerSettings>().encoder_mixers = {"conv-mixer"};
  EXPECT_EQ(refused(convolutions, "feed_forward_width"), "accepted") << "of the decoder";
  convolutions.sizes.decoder_layers = 0;
  for (const char* const setting : {"feed_forward_width", "feed_forward_depth", "gated_feed_forward"}) {
    expect_has(refused(convolutions, setting), "no layer has a feed-forward layer");
  }
  expect_has(refused(small_language_model_settings(), "encoder_mixers"), "there is no encoder");
  expect_has(refused(small_language_model_settings(), "source_link"), "there is no source");
  NetworkSettings wrong = small_settings();  // unused settings are looked for before other checks
  wrong.own<TransformerSettings>().encoder_mixers = {"convolution"};
  expect_has(refused(wrong, "width"), "encoder_mixers has 'convolution'");
  wrong.sizes.encoder_layers = 5;
  wrong.own<TransformerSettings>().encoder_mixers = {"local", "local"};
  expect_has(refused(wrong, "width"), "encoder_mixers has 2 names");
  const Change dynamic = [](auto&, auto& own) { own.encoder_mixers = {"dynamic"}; };
  EXPECT_EQ(refused(with(dynamic), "head_width"), "accepted") << "the decoder attends to the source";
  EXPECT_EQ(refused(with(dynamic), "kernel_widths"), "accepted");
  NetworkSettings encoder = with(dynamic);
  encoder.sizes.decoder_layers = 0;
  for (const char* name : {"head_width", "key_value_heads", "attention_scale", "attention_projection"})
    expect_has(refused(encoder, name), "there is no attention");
  EXPECT_EQ(refused(encoder, "heads"), "accepted");
  NetworkSettings unfolding = with([](auto&, auto& own) {
    own.encoder_mixers = own.decoder_mixers = {"bytenet"};
    own.source_link = SourceLink::unfolding;
  });
  for (const char* name : {"heads", "head_width", "attention_dropout"})
    EXPECT_NE(refused(unfolding, name), "accepted") << name;
  encoder.own<TransformerSettings>().encoder_mixers = {"gated-convolution"};
  expect_has(refused(encoder, "heads"), "no layer has heads");
  expect_has(refused(encoder, "attention_dropout"), "no layer has weights");
  encoder.own<TransformerSettings>().encoder_mixers = {"gated-convolution", "dynamic"};
  EXPECT_EQ(refused(encoder, "attention_dropout"), "accepted");
}

TEST(Mixers, ThatKeepTheLatestTokensCannotForgetEarlierSteps) {
  const auto forgets = [](const std::string& mixer, bool translates) {
    NetworkSettings s = translates ? small_settings() : small_language_model_settings();
    s.own<TransformerSettings>().decoder_mixers = {"attention", mixer, "attention"};
    s.own<TransformerSettings>().local.window = 4;
    s.own<TransformerSettings>().attention_block = 12;
    const Fresh fresh(s);
    EXPECT_TRUE(fresh.network->takes_several());
    return fresh.network->forgets_earlier_steps();
  };
  const Names forgetful{"attention", "strided", "fixed", "ssru", "average"};
  for (const bool translates : {false, true}) {
    for (const MixerKind& kind : mixer_kinds()) {
      if (!kind.in_decoders()) continue;
      EXPECT_EQ(forgets(kind.name, translates), std::ranges::count(forgetful, kind.name) > 0) << kind.name;
    }
  }
}

TEST(Mixers, OnlyThoseThatAverageBetweenLinearLayersTakeDeepNorm) {
  for (const MixerKind& kind : mixer_kinds()) {
    const std::string why = refusal([&](auto&, auto& own) {
      own.deep_norm = true;
      own.local.window = own.strided.stride = 3;
      own.attention_block = 4;
      own.fixed.summary_tokens = own.bigbird.global_blocks = own.bigbird.random_blocks = 1;
      if (kind.in_encoders) {
        own.encoder_mixers = {"attention", kind.name};
      } else {
        own.decoder_mixers = {kind.name};
      }
    });
    if (kind.deep_norm) {
      EXPECT_EQ(why, "accepted") << kind.name;
    } else {
      EXPECT_NE(why.find("deep_norm"), std::string::npos) << kind.name << ": " << why;
      EXPECT_NE(why.find("'" + kind.name + "'"), std::string::npos) << why;
    }
  }
  std::string all;
  for (const MixerKind& kind : mixer_kinds()) {
    if (kind.deep_norm) all += kind.name + " ";
  }
  EXPECT_EQ(all, "attention local strided fixed lightweight dynamic bigbird ");
}

}  // namespace
}  // namespace gloss
