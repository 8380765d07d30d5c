// SPDX-License-Identifier: Apache-2.0
// What the mixers of layers see, and how much it counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/index.h"
#include "model/networks/mixers/mixers.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

using Change = std::function<void(NetworkSettings&, TransformerSettings&)>;

NetworkSettings changed(const Change& change) {
  NetworkSettings s = small_settings();
  change(s, s.own<TransformerSettings>());
  return s;
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
    own.local.window = 4;
  };
  EXPECT_EQ(changed_states(changed(local)), Reach(8, 8)) << "two layers of 4";
  for (const std::string mixer : {"lightweight", "dynamic", "gated-convolution"}) {
    const Change convolution = [&](auto&, auto& own) {
      own.encoder_mixers = {mixer};
      own.kernels.widths = {"7", "3"};
    };
    EXPECT_EQ(changed_states(changed(convolution)), Reach(4, 4)) << mixer << ": 3 and 1";
    const Change defaults = [&](auto&, auto& own) { own.encoder_mixers = {mixer}; };
    const int reach = mixer == "gated-convolution" ? 2 : 4;
    EXPECT_EQ(changed_states(changed(defaults)), Reach(reach, reach))
        << mixer << ": kernels of 3 and 7, or of 3";
  }
  EXPECT_EQ(changed_states(small_settings()), Reach(19, 19)) << "full attention";
  const Change windows = [](auto& s, auto& own) {
    own.encoder_mixers = {"token-mlp"};
    own.token_mlp.window = 8;  // 16 .. 23, then 12 .. 19 and 20 .. 27
    s.sizes.encoder_layers = 2;
  };
  EXPECT_EQ(changed_states(changed(windows)), Reach(7, 8));
  const Change near = [](auto&, auto& own) {
    own.encoder_mixers = {"bigbird"};
    own.attention_block = 2;
    own.bigbird.window_blocks = 2;
    own.bigbird.global_blocks = own.bigbird.random_blocks = 0;
  };
  EXPECT_EQ(changed_states(changed(near)), Reach(9, 8)) << "blocks 5 to 13 of two tokens";
}

TEST(Mixers, GlobalBlocksMeetAllTokensInTwoLayers) {
  const Change global = [](auto&, auto& own) {
    own.encoder_mixers = {"bigbird"};
    own.attention_block = 2;
    own.bigbird.window_blocks = own.bigbird.global_blocks = 1;
    own.bigbird.random_blocks = 0;
  };
  EXPECT_EQ(changed_states(changed(global)), std::pair(19, 19));
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
    own.local.window = 4;
    if (own.decoder_mixers.front() != "local") own.kernels.widths = {"4"};
    EXPECT_EQ(changed_states(s), std::make_pair(0, c.reach)) << c.mixer;
    if (own.decoder_mixers.front() == "local") continue;
    own.kernels.dilations = {"1", "3"};
    EXPECT_EQ(changed_states(s), std::make_pair(0, 3 + 9)) << c.mixer << ", dilated";
  }
}

/// For each token of a text, whether the state of the only layer, of a decoder if `causal`, depends on token
/// `changed`.
std::vector<bool> seeing(int changed, bool causal, const std::function<void(TransformerSettings&)>& change) {
  NetworkSettings s = small_language_model_settings();
  if (!causal) s.sizes.encoder_layers = 1, s.sizes.decoder_layers = 0;
  if (causal) s.sizes.decoder_layers = 1;
  change(s.own<TransformerSettings>());
  const Fresh fresh(s);
  std::vector<TokenId> text(39, 5);
  const std::vector<float> before = states_of(fresh, text);
  text[index(changed)] = 9;
  const std::vector<float> after = states_of(fresh, text);
  std::vector<bool> sees;
  for (int i = 0; i < 39; ++i) {
    const auto from = index(i * s.sizes.width), bytes = index(s.sizes.width) * sizeof(float);
    sees.push_back(std::memcmp(&before[from], &after[from], bytes) != 0);
  }
  return sees;
}

TEST(Mixers, StridedAttentionSeesMultiplesOfTheStride) {
  for (const bool causal : {false, true}) {
    const std::vector<bool> sees = seeing(19, causal, [&](TransformerSettings& own) {
      (causal ? own.decoder_mixers : own.encoder_mixers) = {"strided"};
      own.strided.stride = 7;
    });
    for (int i = 0; i < 39; ++i) EXPECT_EQ(sees[index(i)], (i - 19) % 7 == 0 && (i >= 19 || !causal)) << i;
  }
}

TEST(Mixers, FixedAttentionSeesItsBlockAndTheLastTokensOfOthers) {
  for (const bool causal : {false, true}) {
    for (const int changed : {16, 18, 19, 20}) {
      const std::vector<bool> sees = seeing(changed, causal, [&](TransformerSettings& own) {
        (causal ? own.decoder_mixers : own.encoder_mixers) = {"fixed"};
        own.attention_block = 7;
        own.fixed.summary_tokens = 2;
      });
      for (int i = 0; i < 39; ++i) {
        const bool in_pattern = i / 7 == changed / 7 || changed % 7 >= 5;
        EXPECT_EQ(sees[index(i)], in_pattern && (i >= changed || !causal)) << i << " of " << changed;
      }
    }
  }
}

/// The weights of a layer's rows, by row, head and other row of the same sentence.
struct LayerWeights {
  int heads = 0;
  std::vector<std::vector<std::vector<double>>> of_rows;
};

LayerWeights weights_of(const MixingNetwork& network, const Batch& batch, bool of_decoder,
                        std::size_t layer) {
  const TokenRows& rows = of_decoder ? batch.target : batch.source;
  LayerWeights got{network.layers(of_decoder)[layer].heads, {}};
  for (int row = 0; row < rows.rows(); ++row) {
    const auto length = index(rows.length(row));
    got.of_rows.insert(got.of_rows.end(), length,
                       std::vector(index(got.heads), std::vector<double>(length, 0)));
  }
  LayerVisitors visitors(network.layers(of_decoder).size());
  visitors[layer] = [&](int first, int per_head, const Tensor& weights) {
    for (std::size_t row = 0; row < got.of_rows.size(); ++row) {
      for (int head = 0; head < got.heads; ++head) {
        std::vector<double>& to = got.of_rows[row][index(head)];
        for (int c = 0; c < per_head && first + c < std::ssize(to); ++c) {
          to[index(first + c)] = static_cast<double>(
              weights.data()[static_cast<std::int64_t>(row) * weights.columns() + head * per_head + c]);
        }
      }
    }
  };
  network.visit_weights(batch, of_decoder, visitors);
  return got;
}

TEST(RowWeights, AddUpToOneAndSeeNothingLater) {
  int checked = 0;
  for (const Variant& variant : transformer_variants()) {
    const Fresh fresh(variant.settings);
    const MixingNetwork* const network = fresh.network->mixing_network();
    if (network == nullptr) continue;
    Batch batch;
    for (const std::vector<TokenId>& row : {std::vector<TokenId>{7, 4, 9, 9, 5, 8, 12, 6, 2}, {4, 2}}) {
      batch.source.add(row);
      batch.target.add(row);
    }
    for (const bool of_decoder : {false, true}) {
      const std::vector<MixingNetwork::Layer> layers = network->layers(of_decoder);
      for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        SCOPED_TRACE(concat(variant.name, of_decoder ? " decoder " : " encoder ", layer));
        const LayerWeights got = weights_of(*network, batch, of_decoder, layer);
        for (std::size_t row = 0; row < got.of_rows.size(); ++row) {
          const std::size_t place = row < 9 ? row : row - 9;
          for (const std::vector<double>& weights : got.of_rows[row]) {
            double sum = 0;
            for (std::size_t other = 0; other < weights.size(); ++other) {
              EXPECT_GE(weights[other], 0);
              if (of_decoder && other > place) {
                EXPECT_EQ(weights[other], 0) << place << " sees " << other;
              }
              sum += weights[other];
            }
            const bool convolves = layers[layer].mixer == "dynamic" || layers[layer].mixer == "lightweight";
            if (!layers[layer].weighs) {
              EXPECT_EQ(sum, 0);
            }
            if (convolves) {
              EXPECT_LE(sum, 1 + 1e-5);
            }
            if (layers[layer].weighs && !convolves) {
              EXPECT_NEAR(sum, 1, 1e-4);
            }
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace gloss
