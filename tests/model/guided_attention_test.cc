// SPDX-License-Identifier: Apache-2.0

#include "model/networks/guided_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

/// Variants that attend to their source, without anything random in training.
std::vector<Variant> attending_variants() {
  std::vector<Variant> all;
  for (Variant& variant : variants()) {
    NetworkSettings& settings = variant.settings;
    if (form_of(settings) != Form::encoder_decoder || !looks(settings)) continue;
    settings.sizes.dropout = settings.sizes.embedding_dropout = 0;
    auto& recurrent = settings.own<RecurrentSettings>();
    recurrent.output_dropout = recurrent.scheduled_sampling = 0;
    if (recurrent.selection == AttentionSelection::hard) continue;  // draws positions
    auto& transformer = settings.own<TransformerSettings>();
    transformer.attention_dropout = transformer.activation_dropout = 0;
    // Finite differences across the kink of ReLU are not meaningful.
    if (transformer.activation == Activation::relu) transformer.activation = Activation::gelu;
    settings.sizes.alignment_head = 1;
    all.push_back(variant);
  }
  return all;
}

class GuidedAttention : public testing::TestWithParam<Variant> {};

/// Some tokens of each pair have no link, one link, or several.
Batch linked_batch(const NetworkSettings& settings) {
  Batch batch = random_batch(settings, std::vector<int>{5, 1, 9}, 8);
  for (int row = 0; row < batch.target.rows(); ++row) {
    const int source = batch.source.starts[index(row)], target = batch.target.starts[index(row)];
    for (int t = 0; t < batch.target.length(row); ++t) {
      for (int s = t % 3; s < std::min(batch.source.length(row), 2 * (t % 3)); ++s) {
        batch.links.push_back({source + s, target + t});
      }
    }
  }
  batch.weights = {0.5f, 3, 1};
  return batch;
}

/// The definition: mean of -log over the links of each token, from the attention of decoding.
double alignment_by_steps(const Network& network, const Batch& batch) {
  double sum = 0;
  for (int row = 0; row < batch.target.rows(); ++row) {
    TokenRows source;
    source.add(batch.source, row);
    const std::unique_ptr<DecoderState> state = network.start(source);
    TokenId latest = network.begin();
    for (int t = 0; t < batch.target.length(row); ++t) {
      SourceAttention attention;
      network.step(std::vector<TokenId>{latest}, *state, &attention);
      const int token = batch.target.starts[index(row)] + t;
      double logs = 0;
      int links = 0;
      for (const TokenLink& link : batch.links) {
        if (link.target != token) continue;
        logs += std::log(attention.weights[index(link.source - batch.source.starts[index(row)])]);
        ++links;
      }
      if (links > 0) sum -= logs / links * static_cast<double>(batch.weights[index(row)]);
      latest = batch.target.tokens[index(token)];
    }
  }
  return sum;
}

/// Links are between tokens of text, which no pyramid reads.
bool has_links(const NetworkSettings& settings) {
  return settings.own<RecurrentSettings>().pyramid_layers == 0;
}

TEST_P(GuidedAttention, AddsTheCrossEntropyOfItsHeadToTheLoss) {
  if (!has_links(GetParam().settings)) GTEST_SKIP() << "a pyramid is not for links";
  const Fresh fresh(GetParam().settings);
  const Batch batch = linked_batch(GetParam().settings);
  ASSERT_GT(batch.links.size(), 5u);
  Random unused(1);
  const auto loss = [&](double weight) {
    const Regularization regularization{unused, {.alignment_weight = weight}};
    return fresh.network->loss(batch, &regularization);
  };
  const Loss without = loss(0), with = loss(0.5);
  EXPECT_EQ(with.cross_entropy, without.cross_entropy);
  const double expected = 0.5 * alignment_by_steps(*fresh.network, batch);
  EXPECT_GT(expected, 1);
  EXPECT_NEAR(with.sum.data()[0] - without.sum.data()[0], expected, 1e-3 * expected);
}

TEST_P(GuidedAttention, GradientEqualsCentralDifferences) {
  if (!has_links(GetParam().settings)) GTEST_SKIP() << "a pyramid is not for links";
  Fresh fresh(GetParam().settings);
  const LossTerms terms{.label_smoothing = 0.1, .alignment_weight = 2};
  expect_gradients_of_differences(
      fresh, linked_batch(GetParam().settings), 5e-3f, [](const std::string&) { return true; }, &terms);
}

/// The definition: squares of 1 minus the attention that each source token gets in all steps of its row, or
/// all `together` tokens that one state of the encoder stands for.
double missing_by_steps(const Network& network, const Batch& batch, int together) {
  double sum = 0;
  for (int row = 0; row < batch.target.rows(); ++row) {
    TokenRows source;
    source.add(batch.source, row);
    const std::unique_ptr<DecoderState> state = network.start(source);
    std::vector<double> got(index((batch.source.length(row) + together - 1) / together));
    TokenId latest = network.begin();
    for (const TokenId next : batch.target.row(row)) {
      SourceAttention attention;
      attention.of_every_head = true;
      network.step(std::vector<TokenId>{latest}, *state, &attention);
      for (const std::vector<float>& map : attention.maps) {
        for (std::size_t i = 0; i < map.size(); ++i)
          got[i / index(together)] +=
              static_cast<double>(map[i]) / static_cast<double>(attention.maps.size());
      }
      latest = next;
    }
    for (const double all : got)
      sum += (1 - all) * (1 - all) * static_cast<double>(batch.weights[index(row)]);
  }
  return sum;
}

TEST_P(GuidedAttention, SpreadsOverTheSourceAsDefined) {
  NetworkSettings settings = GetParam().settings;
  settings.sizes.alignment_head = 0;
  if (!spreads_attention(settings)) GTEST_SKIP() << "attention is not spread in this network";
  Fresh fresh(settings);
  const Batch batch = linked_batch(settings);
  const auto loss = [&](double weight) {
    Random unused(1);
    const Regularization regularization{unused, {.doubly_stochastic = weight}};
    return fresh.network->loss(batch, &regularization);
  };
  const int together = settings.own<RecurrentSettings>().vectors_per_annotation();
  const double expected = 0.7 * missing_by_steps(*fresh.network, batch, together);
  EXPECT_GT(expected, 0.1);
  EXPECT_NEAR(loss(0.7).sum.data()[0] - loss(0).sum.data()[0], expected, 2e-3 * expected + 1e-3);
  const LossTerms terms{.doubly_stochastic = 0.7};
  // The ReLU of a stem has a corner.
  expect_gradients_of_differences(
      fresh, batch, 1e-3f, [](const std::string& name) { return !name.starts_with("encoder.stem."); },
      &terms);
}

TEST_P(GuidedAttention, ReportsTheAlignmentHeadInsteadOfTheMean) {
  const Fresh fresh(GetParam().settings);
  const Batch batch = random_batch(GetParam().settings, std::vector<int>{5, 3}, 8);
  const std::unique_ptr<DecoderState> state = fresh.network->start(batch.source);
  SourceAttention attention;
  attention.of_every_head = true;
  fresh.network->step(std::vector<TokenId>(2, fresh.network->begin()), *state, &attention);
  const std::size_t first = attention.maps.size() - index(attention.heads);
  EXPECT_EQ(attention.weights, attention.maps[first]);
  EXPECT_EQ(attention.alignment_head, 1);
}

constexpr auto kNameOfAttendingVariant = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, GuidedAttention, testing::ValuesIn(attending_variants()),
                         kNameOfAttendingVariant);

TEST(GuidedAttentionTest, LinksOutOfOrderBreakAPromise) {
  Batch batch;
  batch.source.add(std::vector<TokenId>{3, 2});
  batch.target.add(std::vector<TokenId>{4, 2});
  batch.links = {{0, 1}, {0, 0}};
  const TargetAttention part{Tensor::zeros({4}), {{0, 2, 0, 2}}};
  EXPECT_THROW(alignment_loss({&part, 1}, batch, 1), BrokenPromise);
}

}  // namespace
}  // namespace gloss
