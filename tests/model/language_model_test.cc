// SPDX-License-Identifier: Apache-2.0
// Language models with a context before their targets.
#include <gtest/gtest.h>

#include <vector>

#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

const std::vector<TokenId> kText{7, 30, 12, 9, 41, 5, 2};

Batch cut_at(std::size_t place) {
  Batch batch;
  std::vector<TokenId> before{small_language_model_settings().begin_token};
  before.insert(before.end(), kText.begin(), kText.begin() + static_cast<std::ptrdiff_t>(place));
  batch.source.add(before);
  batch.target.add(std::span(kText).subspan(place));
  return batch;
}

class LanguageModel : public testing::TestWithParam<Variant> {};

TEST_P(LanguageModel, PredictionsDoNotDependOnTheEndOfTheContext) {
  const Fresh fresh(GetParam().settings);
  const std::vector<float> whole = fresh.network->log_probabilities(cut_at(0));
  ASSERT_EQ(whole.size(), kText.size());
  for (std::size_t place = 1; place < kText.size(); ++place) {
    const std::vector<float> rest = fresh.network->log_probabilities(cut_at(place));
    ASSERT_EQ(rest.size(), kText.size() - place);
    for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(rest[i], whole[place + i], 1e-5) << place;
    const auto stepped = step_by_step(*fresh.network, cut_at(place), false);
    for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(stepped[0][i], rest[i], 2e-4) << place;
  }
}

TEST_P(LanguageModel, AnEmptyContextEqualsTheBeginToken) {
  const Fresh fresh(GetParam().settings);
  Batch nothing;
  nothing.source.add({});
  nothing.target.add(kText);
  EXPECT_EQ(fresh.network->log_probabilities(nothing), fresh.network->log_probabilities(cut_at(0)));
  EXPECT_EQ(step_by_step(*fresh.network, nothing, false), step_by_step(*fresh.network, cut_at(0), false));
}

TEST_P(LanguageModel, LossCountsTargetTokensOnly) {
  const Fresh fresh(GetParam().settings);
  const std::vector<float> rest = fresh.network->log_probabilities(cut_at(3));
  double sum = 0;
  for (const float value : rest) sum -= static_cast<double>(value);
  Batch batch = cut_at(3);
  const Loss loss = fresh.network->loss(batch, nullptr);
  EXPECT_EQ(loss.tokens, 4);
  EXPECT_NEAR(loss.cross_entropy, sum, 1e-4);
  batch.weights = {0.5f};
  EXPECT_NEAR(fresh.network->loss(batch, nullptr).cross_entropy, sum / 2, 1e-4);
  EXPECT_EQ(fresh.network->loss(batch, nullptr).weight, 2);
}

TEST_P(LanguageModel, SelectsRowsBeforeTheFirstStep) {
  const Fresh fresh(GetParam().settings);
  Batch both = cut_at(2);
  both.source.add(cut_at(4).source.row(0));
  const auto straight = fresh.network->start(both.source), turned = fresh.network->start(both.source);
  turned->select(std::vector<int>{1, 0, 1});
  const std::vector<TokenId> any(3, fresh.network->begin());
  const Tensor scores = fresh.network->step(std::span(any).first(2), *straight);
  const Tensor other = fresh.network->step(any, *turned);
  for (int token = 0; token < 57; ++token) {
    EXPECT_EQ(other.data()[token], scores.data()[scores.columns() + token]);
    EXPECT_EQ(other.data()[other.columns() + token], scores.data()[token]);
    EXPECT_EQ(other.data()[2 * other.columns() + token], scores.data()[scores.columns() + token]);
  }
}

NetworkSettings language_model_of(const std::vector<std::string>& mixers) {
  NetworkSettings s = small_language_model_settings();
  auto& own = s.own<TransformerSettings>();
  own.decoder_mixers = mixers;
  own.local.window = own.strided.stride = 2;
  own.linear.features = 20;
  return s;
}

INSTANTIATE_TEST_SUITE_P(
    All, LanguageModel,
    testing::Values(Variant{"transformer", small_language_model_settings()},
                    Variant{"recurrent", small_recurrent_language_model_settings()},
                    Variant{"local_and_strided", language_model_of({"local", "strided", "attention"})},
                    Variant{"linear", language_model_of({"linear"})},
                    Variant{"running_states", language_model_of({"ssru", "linear", "average"})},
                    Variant{"convolutions",
                            language_model_of({"dynamic", "lightweight", "gated-convolution"})}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace gloss
