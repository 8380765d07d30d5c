// SPDX-License-Identifier: Apache-2.0
// The mixers of layers: what they see, and the settings that do not suit them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/hash_pattern.h"
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
                 "encoder_mixers has 'convolution'; expected attention, conformer, gated-convolution, local, "
                 "strided, lightweight");
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
        own.attention_window = 5;
        own.encoder_layer_weights = {"1", "1"};
      },
      "'attention' for layer 2 and 'local' for layer 1, which share their weights");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"local"};
        own.attention_window = 39;
      },
      "attention_window 39 covers every text of at most max_positions 40");
  for (const char* width : {"4", "0", "-3", "x", "3.0", "81", ""}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.encoder_mixers = {"dynamic"};
          own.kernel_widths = {width};
        },
        concat("kernel_widths has '", width, "'; expected odd numbers from 1 to 79"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"lightweight", "attention"};
        own.kernel_widths = {"3", "5"};
      },
      "kernel_widths has 2 numbers; expected one, or one for each of 1 convolutional layers");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"lightweight"};
        own.kernel_widths = {"3", "5"};
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
        own.random_features = 4096;
        s.sizes.width = 4096;
      },
      "random_features 4096 for heads of width 1024 are 4194304 numbers, more than 65536");
  expect_refused([](auto&, auto& own) { own.encoder_mixers = {"strided"}, own.attention_stride = 40; },
                 "attention_stride 40 reaches beyond every text of at most max_positions 40");
  for (const char* dilation : {"0", "-1", "x", "20", "1000000000000"}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.encoder_mixers = {"dynamic"};
          own.kernel_widths = {"5"};
          own.dilations = {dilation};
        },
        concat("dilations has '", dilation, "' for a kernel of 5 rows"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"dynamic"};
        own.dilations = {"1", "2"};
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
        own.hash_rounds = 64;
        s.sizes.max_positions = 1 << 18;
      },
      "more than 1048576");
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = {"token-mlp"};
        own.token_window = 41;
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
  for (const std::string mixer : {"conformer", "recurrence"}) {
    expect_refused([&](auto&, auto& own) { own.decoder_mixers = {mixer}; },
                   concat("decoder_mixers has '", mixer, "'; expected attention, gated-convolution, local"));
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
        own.attention_window = 39;
      },
      "attention_window 39 covers every text");
  for (const char* width : {"0", "41", "x"}) {
    expect_refused(
        [&](auto&, auto& own) {
          own.decoder_mixers = {"dynamic"};
          own.kernel_widths = {width};
        },
        concat("kernel_widths has '", width, "'; expected numbers from 1 to 40"));
  }
  expect_refused(
      [](auto&, auto& own) {
        own.encoder_mixers = own.decoder_mixers = {"lightweight"};
        own.kernel_widths = {"3", "3"};
      },
      "kernel_widths has 2 numbers; expected one, or one for each of 5 convolutional layers");
  expect_refused(
      [](auto&, auto& own) {
        own.decoder_mixers = {"gated-convolution"};
        own.kernel_widths = {"4"};
        own.dilations = {"14"};
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
              own.attention_window = 4;
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
  expect_has(refused(small_settings(), "kernel_widths"),
             "it needs --encoder-mixers or --decoder-mixers conformer or gated-convolution or lightweight or "
             "dynamic or conv-mixer");
  expect_has(refused(small_settings(), "attention_window"),
             "it needs --encoder-mixers or --decoder-mixers local");
  expect_has(refused(small_settings(), "average_width"), "it needs --decoder-mixers average");
  expect_has(refused(small_settings(), "dilations"), "it needs --encoder-mixers or --decoder-mixers");
  expect_has(refused(small_settings(), "random_blocks"), "it needs --encoder-mixers bigbird");
  expect_has(refused(small_settings(), "attention_block"), "it needs --encoder-mixers bigbird or lsh");
  expect_has(refused(small_settings(), "hash_rounds"), "it needs --encoder-mixers lsh");
  expect_has(refused(small_settings(), "token_window"), "it needs --encoder-mixers token-mlp");
  expect_has(refused(small_language_model_settings(), "encoder_mixers"), "there is no encoder");
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
  encoder.own<TransformerSettings>().encoder_mixers = {"gated-convolution"};
  expect_has(refused(encoder, "heads"), "no layer has heads");
  expect_has(refused(encoder, "attention_dropout"), "no layer has weights");
  encoder.own<TransformerSettings>().encoder_mixers = {"gated-convolution", "dynamic"};
  EXPECT_EQ(refused(encoder, "attention_dropout"), "accepted");
}

/// The encoder's states of a text.
std::vector<float> states_of(const Fresh& fresh, const std::vector<TokenId>& text) {
  TokenRows rows;
  rows.add(text);
  const Tensor states = fresh.network->states(rows);
  return {states.data(), states.data() + std::ssize(text) * states.columns()};
}

/// The number of tokens around the changed one whose states differ, on each side.
std::pair<int, int> changed_states(const NetworkSettings& settings) {
  const Fresh fresh(settings);
  constexpr int kLength = 39, kChanged = 19;
  std::vector<TokenId> text(kLength, 5);
  const std::vector<float> before = states_of(fresh, text);
  text[kChanged] = 9;
  const std::vector<float> after = states_of(fresh, text);
  std::vector<int> differing;
  for (int i = 0; i < kLength; ++i) {
    const auto from = index(i * settings.sizes.width), bytes = index(settings.sizes.width) * sizeof(float);
    if (std::memcmp(&before[from], &after[from], bytes) != 0) differing.push_back(i);
  }
  return {kChanged - differing.front(), differing.back() - kChanged};
}

TEST(Mixers, ReachAsFarAsTheirWindows) {
  using Reach = std::pair<int, int>;
  const Change local = [](auto&, auto& own) {
    own.encoder_mixers = {"local"};
    own.attention_window = 4;
  };
  EXPECT_EQ(changed_states(with(local)), Reach(8, 8)) << "two layers of 4";
  for (const std::string mixer : {"lightweight", "dynamic", "gated-convolution"}) {
    const Change convolution = [&](auto&, auto& own) {
      own.encoder_mixers = {mixer};
      own.kernel_widths = {"7", "3"};
    };
    EXPECT_EQ(changed_states(with(convolution)), Reach(4, 4)) << mixer << ": 3 and 1";
    const Change defaults = [&](auto&, auto& own) { own.encoder_mixers = {mixer}; };
    const int reach = mixer == "gated-convolution" ? 2 : 4;
    EXPECT_EQ(changed_states(with(defaults)), Reach(reach, reach))
        << mixer << ": kernels of 3 and 7, or of 3";
  }
  EXPECT_EQ(changed_states(small_settings()), Reach(19, 19)) << "full attention";
  const Change windows = [](auto& s, auto& own) {
    own.encoder_mixers = {"token-mlp"};
    own.token_window = 8;  // 16 .. 23, then 12 .. 19 and 20 .. 27
    s.sizes.encoder_layers = 2;
  };
  EXPECT_EQ(changed_states(with(windows)), Reach(7, 8));
  const Change near = [](auto&, auto& own) {
    own.encoder_mixers = {"bigbird"};
    own.attention_block = 2;
    own.window_blocks = 2;
    own.global_blocks = own.random_blocks = 0;
  };
  EXPECT_EQ(changed_states(with(near)), Reach(9, 8)) << "blocks 5 to 13 of two tokens";
}

TEST(Mixers, GlobalBlocksMeetAllTokensInTwoLayers) {
  const Change global = [](auto&, auto& own) {
    own.encoder_mixers = {"bigbird"};
    own.attention_block = 2;
    own.window_blocks = own.global_blocks = 1;
    own.random_blocks = 0;
  };
  EXPECT_EQ(changed_states(with(global)), std::pair(19, 19));
}

TEST(BlockPattern, ChoosesBlocksByHeadAndBlock) {
  const BlockPattern pattern({.block = 4, .window = 1, .global = 1, .random = 2}, 7);
  const auto ranges = [&](std::int64_t rows, int head) {
    const BlockLayout layout = pattern.layout(0, rows, head);
    std::vector<std::int32_t> numbers(layout.starts);
    for (const KeyRange& range : layout.ranges) numbers.insert(numbers.end(), {range.first, range.last});
    return numbers;
  };
  EXPECT_EQ(ranges(399, 0), ranges(399, 0));
  EXPECT_NE(ranges(399, 0), ranges(399, 1));
  // Every block but the first sees 6 blocks at most, so the pairs grow with the rows.
  for (const std::int64_t rows : {400, 4000}) {
    const std::int64_t pairs = pattern.layout(0, rows, 0).pairs(rows);
    EXPECT_LE(pairs, rows * 4 + rows * 24);
    EXPECT_GE(pairs, rows * 4 + (rows - 12) * 24);
  }
  EXPECT_EQ(pattern.layout(0, 24, 0).pairs(24), 24 * 24) << "6 blocks are seen completely";
}

TEST(HashPattern, PutsEqualRowsIntoOneBucket) {
  const HashDirections directions({.most_rows = 64, .chunk = 4, .rounds = 3, .heads = 1, .head_width = 6}, 2);
  Random random(5);
  const Tensor queries = Tensor::uninitialised({64, 6});
  for (float& value : queries.values()) value = static_cast<float>(random.normal());
  for (int c = 0; c < 6; ++c) queries.data()[50 * 6 + c] = 3 * queries.data()[7 * 6 + c];
  const HashPattern pattern(directions, queries, {{0, 64, 0, 64}});
  const BlockLayout layout = pattern.layout(0, 64, 0);
  ASSERT_EQ(layout.rounds, 3);
  ASSERT_EQ(layout.order.size(), 3U * 64);
  for (std::size_t round = 0; round < 3; ++round) {
    const auto label_of = [&](std::int32_t row) {
      const auto from = layout.order.begin() + static_cast<std::ptrdiff_t>(round) * 64;
      return layout.labels[index(std::find(from, from + 64, row) - layout.order.begin())];
    };
    EXPECT_EQ(label_of(7), label_of(50));
    const auto part = std::span(layout.labels).subspan(round * 64, 64);
    EXPECT_TRUE(std::ranges::is_sorted(part));
    EXPECT_GT(part.back(), part.front());
    EXPECT_LT(part.back(), 32);
  }
}

TEST(Mixers, OfDecodersSeeEarlierTokensWithinTheirReach) {
  struct Reaching {
    const char* mixer;
    int reach;
  };
  for (const Reaching& c :
       {Reaching{"local", 8}, {"dynamic", 6}, {"lightweight", 6}, {"gated-convolution", 6}}) {
    NetworkSettings s = small_language_model_settings();
    s.sizes.decoder_layers = 2;
    auto& own = s.own<TransformerSettings>();
    own.decoder_mixers = {c.mixer};
    own.attention_window = 4;
    if (own.decoder_mixers.front() != "local") own.kernel_widths = {"4"};
    EXPECT_EQ(changed_states(s), std::make_pair(0, c.reach)) << c.mixer;
    if (own.decoder_mixers.front() == "local") continue;
    own.dilations = {"1", "3"};
    EXPECT_EQ(changed_states(s), std::make_pair(0, 3 + 9)) << c.mixer << ", dilated";
  }
}

TEST(Mixers, ThatKeepTheLatestTokensCannotForgetEarlierSteps) {
  const auto forgets = [](const std::string& mixer, bool translates) {
    NetworkSettings s = translates ? small_settings() : small_language_model_settings();
    s.own<TransformerSettings>().decoder_mixers = {"attention", mixer, "attention"};
    s.own<TransformerSettings>().attention_window = 4;
    const Fresh fresh(s);
    EXPECT_TRUE(fresh.network->takes_several());
    return fresh.network->forgets_earlier_steps();
  };
  for (const bool translates : {false, true}) {
    for (const char* mixer : {"attention", "strided", "ssru", "average"})
      EXPECT_TRUE(forgets(mixer, translates)) << mixer;
    for (const char* mixer : {"local", "dynamic", "lightweight", "gated-convolution", "linear"})
      EXPECT_FALSE(forgets(mixer, translates)) << mixer;
  }
}

TEST(Mixers, StridedAttentionSeesMultiplesOfTheStride) {
  for (const bool causal : {false, true}) {
    NetworkSettings s = small_language_model_settings();
    if (!causal) s.sizes.encoder_layers = 1, s.sizes.decoder_layers = 0;
    if (causal) s.sizes.decoder_layers = 1;
    auto& own = s.own<TransformerSettings>();
    (causal ? own.decoder_mixers : own.encoder_mixers) = {"strided"};
    own.attention_stride = 7;
    const Fresh fresh(s);
    std::vector<TokenId> text(39, 5);
    const std::vector<float> before = states_of(fresh, text);
    text[19] = 9;
    const std::vector<float> after = states_of(fresh, text);
    for (int i = 0; i < 39; ++i) {
      const auto from = index(i * s.sizes.width), bytes = index(s.sizes.width) * sizeof(float);
      const bool differs = std::memcmp(&before[from], &after[from], bytes) != 0;
      EXPECT_EQ(differs, (i - 19) % 7 == 0 && (i >= 19 || !causal)) << i;
    }
  }
}

TEST(LocalAttention, EqualsFullAttentionIfTheWindowCoversTheText) {
  Random random(3);
  const std::vector<AttentionSpan> spans{{0, 100, 0, 100}, {100, 7, 100, 7}};
  const AttentionShape full{
      AttentionHeads::of_width(12, 2), false, {0x123456789abcdef0ULL, 0x50000000u, 1.5f}};
  AttentionShape local = full;
  local.window = 99;
  const Shape shape{112, 36};
  std::vector<float> values;
  for (std::int64_t i = 0; i < shape.count(); ++i) values.push_back(static_cast<float>(random.normal()));
  const auto run = [&](const AttentionShape& by) {
    Tensor x = Tensor::of(shape, values);
    x.want_gradient(Tensor::zeros(shape));
    const Tensor y = attention(x, x, spans, by);
    const Tensor loss = record(Tensor::zeros({1}), {y}, [](const Tensor&, std::span<const Tensor> of) {
      of[0].hand_gradient(Tensor::of(of[0].shape(), of[0].values()));
    });
    backward(loss);
    std::vector<float> all(y.values().begin(), y.values().end());
    all.insert(all.end(), x.gradient().values().begin(), x.gradient().values().end());
    return all;
  };
  EXPECT_EQ(run(full), run(local));
}

TEST(LocalAttention, NeedsMemoryByTheWindow) {
  const auto scratch = [](std::int64_t length, std::int64_t window) {
    return kernels().f32.attention_scratch(length, length, 64, window);
  };
  // Copies of the operands grow with the length; the scores of a block of queries do not.
  const std::int64_t copies = 8 * 16384 * 64;
  EXPECT_LT(scratch(16384, 64), copies + 64 * 1024);
  EXPECT_GT(scratch(16384, 0), copies + 2 * 64 * 16384 - 1);
  EXPECT_LT(scratch(16384, 64) - scratch(8192, 64), 8192 * 64 * 8 + 1);
}

}  // namespace
}  // namespace gloss
