// SPDX-License-Identifier: Apache-2.0
// Masked models: a transformer encoder that predicts tokens at some positions of a text.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

NetworkSettings encoder_settings(NormPlacement norm, TiedEmbeddings tied) {
  NetworkSettings s = small_settings();
  s.sizes.decoder_layers = 0;
  s.own<TransformerSettings>().norm = norm;
  s.own<TransformerSettings>().activation = Activation::gelu;
  s.own<TransformerSettings>().positions =
      norm == NormPlacement::pre ? Positions::learned : Positions::sinusoidal;
  s.sizes.tied_embeddings = tied;
  return s;
}

/// As BERT, but gated and with RMS normalisation.
NetworkSettings settings_of_later_networks() {
  NetworkSettings s = encoder_settings(NormPlacement::post, TiedEmbeddings::all);
  auto& own = s.own<TransformerSettings>();
  own.activation = own.readout_activation = Activation::gelu_exact;
  own.gated_feed_forward = s.sizes.output_bias = own.embedding_norm = true;
  own.token_types = 2;
  own.norm_type = NormType::rms;
  own.linear_bias = s.sizes.scale_embeddings = false;
  return s;
}

NetworkSettings settings_of_mixers(const std::vector<std::string>& mixers) {
  NetworkSettings s = encoder_settings(NormPlacement::post, TiedEmbeddings::all);
  s.own<TransformerSettings>().encoder_mixers = mixers;
  s.own<TransformerSettings>().local.window = s.own<TransformerSettings>().strided.stride =
      s.own<TransformerSettings>().attention_block = 2;
  s.own<TransformerSettings>().token_mlp.window = 5;
  return s;
}

const std::vector<NetworkSettings> kEncoderKinds{encoder_settings(NormPlacement::pre, TiedEmbeddings::all),
                                                 encoder_settings(NormPlacement::post, TiedEmbeddings::none),
                                                 settings_of_later_networks(),
                                                 settings_of_mixers({"local", "dynamic"}),
                                                 settings_of_mixers({"lightweight", "linear"}),
                                                 settings_of_mixers({"strided", "local"}),
                                                 settings_of_mixers({"conformer", "gated-convolution"}),
                                                 settings_of_mixers({"bigbird", "token-mlp"}),
                                                 settings_of_mixers({"lsh", "conv-mixer"})};

/// Rows of these lengths; every third token is a target.
Batch masked_batch(const std::vector<int>& lengths) {
  Random random(7);
  Batch batch;
  for (const int length : lengths) {
    std::vector<TokenId> source, target;
    for (int i = 0; i < length; ++i) {
      source.push_back(static_cast<TokenId>(random.below(57)));
      target.push_back(i % 3 == 1 ? static_cast<TokenId>(random.below(57)) : -1);
    }
    batch.source.add(source);
    batch.target.add(target);
  }
  return batch;
}

TEST(Encoder, LossEqualsItsLogProbabilities) {
  for (const NetworkSettings& settings : kEncoderKinds) {
    const Fresh fresh(settings);
    Batch batch = masked_batch({5, 1, 12, 9});
    const std::vector<float> all = fresh.network->log_probabilities(batch);
    ASSERT_EQ(all.size(), batch.target.tokens.size());
    double sum = 0;
    int asked = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i] == 0, batch.target.tokens[i] < 0);
      asked += batch.target.tokens[i] >= 0 ? 1 : 0;
      sum -= static_cast<double>(all[i]);
    }
    const Loss loss = fresh.network->loss(batch, nullptr);
    EXPECT_EQ(loss.tokens, asked);
    EXPECT_EQ(loss.weight, asked);
    EXPECT_NEAR(loss.cross_entropy, sum, 1e-4 * sum);
    batch.weights = {0.5f, 0.5f, 0.5f, 0.5f};
    EXPECT_NEAR(fresh.network->loss(batch, nullptr).cross_entropy, sum / 2, 1e-4 * sum);
    EXPECT_EQ(fresh.network->loss(batch, nullptr).weight, asked / 2.0);
  }
}

TEST(Encoder, GradientEqualsCentralDifferencesOfTheLoss) {
  for (const NetworkSettings& settings : kEncoderKinds) {
    Fresh fresh(settings);
    expect_gradients_of_differences(fresh, masked_batch({5, 2, 9}), 5e-3f);
  }
}

TEST(Encoder, TokensOfARowDoNotDependOnItsBatch) {
  for (const NetworkSettings& settings : kEncoderKinds) {
    const Fresh fresh(settings);
    const TokenPredictor& encoder = *fresh.network->token_predictor();
    const Batch together = masked_batch({5, 1, 12, 9, 30, 3, 8, 2, 17});
    std::vector<int> places;
    for (int row = 0; row < together.source.rows(); ++row) {
      places.push_back(together.source.starts[index(row)] + together.source.length(row) / 2);
    }
    TopScores all;
    encoder.best_tokens(together.source, places, {.best = 6, .watched = {}}, all);
    for (int row = 0; row < together.source.rows(); ++row) {
      TokenRows alone;
      alone.add(together.source.row(row));
      TopScores one;
      encoder.best_tokens(alone, std::vector<int>{together.source.length(row) / 2},
                          {.best = 6, .watched = {}}, one);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(one.best(0)[i].token, all.best(row)[i].token);
        EXPECT_EQ(one.best(0)[i].score, all.best(row)[i].score);
      }
      EXPECT_EQ(one.log_sum(0), all.log_sum(row));
    }
  }
}

TEST(Encoder, ReadsBothSidesOfAPosition) {
  const Fresh fresh(kEncoderKinds.front());
  Batch batch;
  batch.source.add(std::vector<TokenId>{5, 9, 11});
  batch.target.add(std::vector<TokenId>{-1, 20, -1});
  const float before = fresh.network->log_probabilities(batch)[1];
  batch.source.tokens[2] = 12;
  EXPECT_NE(fresh.network->log_probabilities(batch)[1], before);
}

TEST(Encoder, RejectsTargetSettingsAndRecurrentNetworks) {
  NetworkSettings wrong = kEncoderKinds.front();
  wrong.sizes.tied_embeddings = TiedEmbeddings::target;
  EXPECT_THROW(check(wrong), UsageError);
  wrong = kEncoderKinds.front();
  wrong.sizes.encoder_layers = 0;
  EXPECT_THROW(check(wrong), UsageError) << "no layers are left";
  wrong = small_recurrent_settings();
  wrong.sizes.decoder_layers = 0;
  EXPECT_THROW(check(wrong), UsageError);
}

TEST(Encoder, TokensAfterTheFirstEndHaveTheSecondType) {
  const Fresh fresh(settings_of_later_networks());
  const TokenId end = fresh.network->end();
  const auto states_of = [&](const std::vector<TokenId>& row) {
    TokenRows rows;
    rows.add(row);
    const Tensor states = fresh.network->states(rows);
    return std::vector<float>(states.data(), states.data() + std::ssize(row) * states.columns());
  };
  const std::vector<TokenId> one{7, 8, end}, two{7, 8, end, 9, end};
  const std::vector<float> of_one = states_of(one), of_two = states_of(two);
  for (const Parameters::Entry& entry : fresh.parameters.entries()) {
    if (entry.name != "encoder.token_types") continue;
    const std::span<float> values = entry.tensor.values();
    for (std::size_t i = values.size() / 2; i < values.size(); ++i)
      values[i] += 1 + static_cast<float>(i % 3);
  }
  EXPECT_EQ(states_of(one), of_one);
  EXPECT_NE(states_of(two), of_two);
}

}  // namespace
}  // namespace gloss
