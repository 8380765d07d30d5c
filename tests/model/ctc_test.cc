// SPDX-License-Identifier: Apache-2.0
// Networks whose encoders label their vectors: connectionist temporal classification.
#include <gtest/gtest.h>

#include <cmath>

#include "base/index.h"
#include "model/tensor/ops_ctc.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

/// Variants that read items, without anything random in training.
std::vector<Variant> labelling_variants() {
  std::vector<Variant> all;
  for (Variant& variant : image_variants()) {
    NetworkSettings& s = variant.settings;
    s.sizes.ctc_head = true;
    s.sizes.dropout = s.sizes.embedding_dropout = 0;
    auto& recurrent = s.own<RecurrentSettings>();
    recurrent.output_dropout = 0;
    if (recurrent.selection == AttentionSelection::hard) continue;  // draws positions
    auto& transformer = s.own<TransformerSettings>();
    if (transformer.activation == Activation::relu) transformer.activation = Activation::gelu;
    all.push_back(std::move(variant));
  }
  return all;
}

class CtcNetwork : public testing::TestWithParam<Variant> {};

/// The CTC loss of each row, from the labels of its vectors.
std::vector<double> losses_by_row(const Network& network, const Batch& batch) {
  const VectorLabeller& labeller = *network.vector_labeller();
  std::vector<double> losses;
  for (int row = 0; row < batch.source.rows(); ++row) {
    TokenRows source;
    source.add(batch.source, row);
    const VectorLabels labels = labeller.label(source);
    const std::span<const TokenId> target = batch.target.row(row);
    CtcLabels of{.starts = labels.starts,
                 .labels = {target.begin(), target.end() - 1},
                 .label_starts = {0, static_cast<int>(target.size()) - 1},
                 .blank = labeller.blank()};
    losses.push_back(static_cast<double>(ctc_loss(labels.scores, of).data()[0]));
  }
  return losses;
}

TEST_P(CtcNetwork, MixesTheLossOfItsLabelsWithThatOfTheDecoder) {
  const NetworkSettings& settings = GetParam().settings;
  Fresh fresh(settings);
  Batch batch = random_batch(settings, std::vector<int>{12, 21, 9}, 8);
  batch.weights = {0.5f, 3, 1};
  double labels = 0;
  const std::vector<double> of_rows = losses_by_row(*fresh.network, batch);
  for (std::size_t row = 0; row < of_rows.size(); ++row)
    labels += static_cast<double>(batch.weights[row]) * of_rows[row];
  ASSERT_GT(labels, 1);
  const auto loss = [&](double weight) {
    Random unused(1);
    const Regularization regularization{unused, {.ctc_weight = weight}};
    return fresh.network->loss(batch, &regularization);
  };
  const double decoder = loss(0).sum.data()[0];
  EXPECT_NEAR(loss(0.3).sum.data()[0], 0.7 * decoder + 0.3 * labels, 1e-3 * (decoder + labels));
  EXPECT_EQ(loss(0.3).cross_entropy, loss(0).cross_entropy);
}

TEST_P(CtcNetwork, GradientEqualsCentralDifferences) {
  const NetworkSettings& settings = GetParam().settings;
  Fresh fresh(settings);
  // A small loss, since f32 has few digits. The stem is tested with other losses: its ReLU has a corner.
  const Batch batch = random_batch(settings, std::vector<int>{12}, 8);
  const LossTerms terms{.label_smoothing = 0.1, .ctc_weight = 0.6};
  expect_gradients_of_differences(
      fresh, batch, 2e-3f, [](const std::string& name) { return !name.starts_with("encoder.stem."); },
      &terms);
}

TEST_P(CtcNetwork, LabelsOfARowDoNotDependOnItsBatch) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9, 30, 3, 8}, 5);
  const VectorLabels all = fresh.network->vector_labeller()->label(batch.source);
  ASSERT_EQ(std::ssize(all.starts), batch.source.rows() + 1);
  for (int row = 0; row < batch.source.rows(); ++row) {
    TokenRows source;
    source.add(batch.source, row);
    const VectorLabels alone = fresh.network->vector_labeller()->label(source);
    const int first = all.starts[index(row)], count = all.starts[index(row) + 1] - first;
    ASSERT_EQ(count, states_of(settings, batch.source.length(row)));
    EXPECT_EQ(log_softmax(alone.scores, 0, count), log_softmax(all.scores, first, count)) << "row " << row;
  }
}

constexpr auto kNameOfLabellingVariant = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, CtcNetwork, testing::ValuesIn(labelling_variants()), kNameOfLabellingVariant);

TEST(CtcNetworkTest, OthersLabelNothing) {
  EXPECT_EQ(Fresh(small_settings()).network->vector_labeller(), nullptr);
  EXPECT_EQ(Fresh(small_recurrent_settings()).network->vector_labeller(), nullptr);
}

}  // namespace
}  // namespace gloss
