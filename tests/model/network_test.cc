// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/pooled_memory.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

class NetworkVariant : public testing::TestWithParam<Variant> {};

TEST_P(NetworkVariant, ReportsAttention) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12}, 5);
  const std::vector<TokenId> latest(3, fresh.network->begin());
  const std::unique_ptr<DecoderState> state = fresh.network->start(batch.source);
  const std::unique_ptr<DecoderState> other = fresh.network->start(batch.source);
  SourceAttention attention;
  if (!looks(settings)) {
    EXPECT_THROW(fresh.network->step(latest, *state, &attention), UsageError);
    return;
  }
  attention.of_every_head = true;
  const Tensor asked = fresh.network->step(latest, *state, &attention);
  const Tensor plain = fresh.network->step(latest, *other);
  EXPECT_TRUE(std::ranges::equal(asked.values(), plain.values()));
  ASSERT_EQ(attention.starts.size(), 4u);
  for (int row = 0; row < 3; ++row) {
    const std::span<const float> weights = attention.of_rows(row, 1);
    EXPECT_EQ(static_cast<int>(weights.size()), batch.source.length(row));
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
  }
  // Maps of every layer and head; without of_every_head only the mean over the last layer's heads is
  // reported.
  const bool transformer = settings.architecture == "transformer";
  const int heads = transformer ? settings.own<TransformerSettings>().decoder_heads : 0;
  ASSERT_EQ(attention.heads, heads > 0 ? heads : settings.sizes.heads);
  ASSERT_EQ(static_cast<int>(attention.maps.size()),
            attention.heads * (transformer ? settings.sizes.decoder_layers : 1));
  std::vector<float> mean(attention.weights.size(), 0.0f);
  for (std::size_t map = 0; map < attention.maps.size(); ++map) {
    ASSERT_EQ(attention.maps[map].size(), mean.size());
    EXPECT_NEAR(std::accumulate(attention.maps[map].begin(), attention.maps[map].end(), 0.0), 3, 1e-4);
    if (attention.maps.size() - map > index(attention.heads)) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += attention.maps[map][i] / static_cast<float>(attention.heads);
    }
  }
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], attention.weights[i], 1e-6);
}

TEST_P(NetworkVariant, DecodesLikeTeacherForcing) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9, 30, 3, 8}, 5);
  const std::vector<float> taught = fresh.network->log_probabilities(batch);
  const auto stepped = step_by_step(*fresh.network, batch, /*shuffles=*/true);
  for (int row = 0; row < batch.target.rows(); ++row) {
    for (int i = 0; i < batch.target.length(row); ++i) {
      EXPECT_NEAR(stepped[index(row)][index(i)], taught[index(batch.target.starts[index(row)] + i)], 2e-4)
          << "row " << row << " token " << i;
    }
  }
}

TEST_P(NetworkVariant, ReportsEachCompleteGradientOnce) {
  Fresh fresh(GetParam().settings);
  fresh.parameters.keep_gradients();
  const Batch batch = random_batch(GetParam().settings, std::vector<int>{5, 1, 12}, 5);
  std::vector<float> reported(fresh.parameters.gradients().size(), -1.0f);
  int leaves = 0;
  backward(fresh.network->loss(batch, nullptr).sum, [&](const Tensor& leaf) {
    const std::span<float> part = fresh.parameters.gradient_part(leaf);
    const auto at = part.data() - fresh.parameters.gradients().data();
    EXPECT_EQ(reported[index(at)], -1.0f) << "reported twice";
    std::copy(part.begin(), part.end(), reported.begin() + at);
    ++leaves;
  });
  EXPECT_EQ(leaves, static_cast<int>(fresh.parameters.entries().size()));
  const std::span<float> whole = fresh.parameters.gradients();
  EXPECT_EQ(reported, std::vector<float>(whole.begin(), whole.end())) << "reported too early, or incomplete";
}

TEST_P(NetworkVariant, ScoresOfARowDoNotDependOnItsBatch) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const std::vector<int> lengths = {5, 1, 12, 9, 30, 3, 8, 2, 2, 17, 4};
  const Batch together = random_batch(settings, lengths, 5);
  const auto all = step_by_step(*fresh.network, together, false);
  for (int row = 0; row < together.source.rows(); ++row) {
    Batch alone;
    alone.source.add(together.source, row);
    alone.target.add(together.target.row(row));
    EXPECT_EQ(step_by_step(*fresh.network, alone, false)[0], all[index(row)]) << "row " << row;
  }
}

TEST_P(NetworkVariant, RowsAddedLaterAreScoredAsIfAlone) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch early = random_batch(settings, std::vector<int>{5, 1, 12}, 5),
              late = random_batch(settings, std::vector<int>{9, 4}, 6);
  const auto scores_of = [](const Tensor& scores, int row) {
    const std::span<float> all = scores.values();
    const auto width = index(scores.columns());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index(row) * width);
    return std::vector<float>(begin, begin + scores.columns());
  };
  const std::unique_ptr<DecoderState> alone = fresh.network->start(late.source),
                                      state = fresh.network->start(early.source),
                                      more = fresh.network->start(late.source);
  fresh.network->step(std::vector<TokenId>(3, fresh.network->begin()), *state);
  const Tensor second = fresh.network->step(std::vector<TokenId>{7, 8, 9}, *state);
  EXPECT_EQ(second.columns(), settings.target_vocabulary);
  const std::vector<int> kept{2, 2, 0};
  state->select(kept);
  state->append(*more);
  // The third sentence twice, the first, and two new rows.
  const TokenId begin = fresh.network->begin();
  const Tensor together = fresh.network->step(std::vector<TokenId>{3, 4, 5, begin, begin}, *state);
  const Tensor apart = fresh.network->step(std::vector<TokenId>{begin, begin}, *alone);
  EXPECT_EQ(scores_of(together, 3), scores_of(apart, 0));
  EXPECT_EQ(scores_of(together, 4), scores_of(apart, 1));

  const std::unique_ptr<DecoderState> third = fresh.network->start(early.source);
  fresh.network->step(std::vector<TokenId>(3, begin), *third);
  fresh.network->step(std::vector<TokenId>{7, 8, 9}, *third);
  third->select(std::vector<int>{2});
  EXPECT_EQ(scores_of(together, 1), scores_of(fresh.network->step(std::vector<TokenId>{4}, *third), 0));
}

TEST_P(NetworkVariant, SeveralTokensInAStepAreScoredAsInAsManySteps) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Network& network = *fresh.network;
  constexpr int kRows = 3, kTokens = 14;
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12}, 5);
  if (!network.takes_several()) {
    EXPECT_THROW(network.start(batch.source)->take(std::vector<int>(kRows, 2)), BrokenPromise);
    EXPECT_THROW(network.start(batch.source)->forget(std::vector<int>(kRows, 0)), BrokenPromise);
    return;
  }
  const auto token = [&](int row, int place) {
    return place == 0 ? network.begin() : static_cast<TokenId>(3 + (row * 5 + place * 7) % 20);
  };
  const auto row_of = [](const Tensor& scores, int row) {
    const auto* const first = scores.data() + row * scores.columns();
    return std::vector<float>(first, first + scores.columns());
  };
  std::vector<std::vector<std::vector<float>>> one_by_one(kRows);
  const std::unique_ptr<DecoderState> state = network.start(batch.source);
  for (int place = 0; place < kTokens; ++place) {
    std::vector<TokenId> latest;
    for (int row = 0; row < kRows; ++row) latest.push_back(token(row, place));
    const Tensor scores = network.step(latest, *state);
    for (int row = 0; row < kRows; ++row) one_by_one[index(row)].push_back(row_of(scores, row));
  }

  // Each step takes zero to four tokens of each row, and two more that are wrong and are removed again.
  constexpr int kWrong = 2;
  const std::unique_ptr<DecoderState> several = network.start(batch.source);
  std::vector<int> done(kRows, 0);
  Random random(2);
  while (*std::ranges::min_element(done) < kTokens) {
    std::vector<int> counts, wrong;
    std::vector<TokenId> latest;
    for (int row = 0; row < kRows; ++row) {
      const int right = std::min(static_cast<int>(random.below(5)), kTokens - done[index(row)]);
      for (int i = 0; i < right; ++i) latest.push_back(token(row, done[index(row)] + i));
      wrong.push_back(right > 0 ? kWrong : 0);
      latest.insert(latest.end(), index(wrong.back()), 2);
      counts.push_back(right + wrong.back());
    }
    if (latest.empty()) continue;
    several->take(counts);
    const Tensor scores = network.step(latest, *several);
    int place = 0;
    for (int row = 0; row < kRows; ++row) {
      for (int i = 0; i < counts[index(row)] - wrong[index(row)]; ++i) {
        EXPECT_EQ(row_of(scores, place + i), one_by_one[index(row)][index(done[index(row)] + i)])
            << "row " << row << " token " << done[index(row)] + i;
      }
      place += counts[index(row)];
      done[index(row)] += counts[index(row)] - wrong[index(row)];
    }
    several->forget(wrong);
  }
}

TEST_P(NetworkVariant, GradientEqualsCentralDifferencesOfTheLoss) {
  NetworkSettings settings = GetParam().settings;
  // Finite differences across the kink of ReLU are not meaningful.
  auto& activation = settings.own<TransformerSettings>().activation;
  if (activation == Activation::relu) activation = Activation::gelu;
  Fresh fresh(settings);
  // Scores of hard attention learn from samples only; where they change the best position, the loss jumps.
  const bool draws = settings.own<RecurrentSettings>().selection == AttentionSelection::hard;
  expect_gradients_of_differences(
      fresh, random_batch(settings, std::vector<int>{5, 1, 9}, 8), 5e-3f,
      [&](const std::string& name) { return !(draws && name.starts_with("attention.")); });
}

TEST_P(NetworkVariant, LossCountsTokensAndAddsUpOverBatches) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 9, 20}, 8);
  double sum = 0;
  int tokens = 0;
  for (int row = 0; row < batch.source.rows(); ++row) {
    Batch alone;
    alone.source.add(batch.source, row);
    alone.target.add(batch.target.row(row));
    const Loss loss = fresh.network->loss(alone, nullptr);
    sum += loss.cross_entropy;
    tokens += loss.tokens;
  }
  const Loss together = fresh.network->loss(batch, nullptr);
  EXPECT_EQ(together.tokens, tokens);
  EXPECT_NEAR(together.cross_entropy, sum, 1e-4 * sum);
  EXPECT_NEAR(together.sum.data()[0], sum, 1e-4 * sum);
}

TEST_P(NetworkVariant, WeightsApplyToEachTargetToken) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 9}, 8);
  Batch weighted = batch;
  weighted.weights = {0.5f, 3, 0};
  double cross_entropy = 0, weight = 0;
  for (int row = 0; row < batch.source.rows(); ++row) {
    Batch alone;
    alone.source.add(batch.source, row);
    alone.target.add(batch.target.row(row));
    const Loss loss = fresh.network->loss(alone, nullptr);
    EXPECT_EQ(loss.weight, loss.tokens);
    const auto counts = static_cast<double>(weighted.weights[index(row)]);
    cross_entropy += counts * loss.cross_entropy;
    weight += counts * loss.tokens;
  }
  const Loss loss = fresh.network->loss(weighted, nullptr);
  EXPECT_NEAR(loss.cross_entropy, cross_entropy, 1e-4 * cross_entropy);
  EXPECT_DOUBLE_EQ(loss.weight, weight);
  EXPECT_EQ(loss.tokens, fresh.network->loss(batch, nullptr).tokens);
}

TEST_P(NetworkVariant, DropoutIsReproducibleOnAnyNumberOfThreads) {
  NetworkSettings settings = GetParam().settings;
  settings.own<TransformerSettings>().attention_dropout =
      settings.own<TransformerSettings>().activation_dropout = 0.2;
  settings.own<RecurrentSettings>().scheduled_sampling = 0.3;
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9, 30, 3, 8}, 5);
  std::vector<std::vector<float>> gradients;
  for (const int threads : {1, 2, 3, 1}) {
    set_threads_per_operation(threads);
    Fresh fresh(settings);
    fresh.parameters.keep_gradients();
    Random random(9);
    const Regularization regularization{random, {0.1}};
    backward(fresh.network->loss(batch, &regularization).sum);
    const auto values = fresh.parameters.gradients();
    gradients.emplace_back(values.begin(), values.end());
  }
  set_threads_per_operation(1);
  EXPECT_EQ(gradients[0], gradients[3]);
  for (std::size_t i = 0; i < gradients[0].size(); ++i) {
    // Sums over rows may add in another order; all other numbers must be equal.
    ASSERT_NEAR(gradients[0][i], gradients[1][i], 1e-3 * (1 + std::abs(gradients[0][i])));
    ASSERT_NEAR(gradients[0][i], gradients[2][i], 1e-3 * (1 + std::abs(gradients[0][i])));
  }
}

TEST_P(NetworkVariant, SteadyWorkAllocatesNothing) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9}, 5);
  step_by_step(*fresh.network, batch, false);
  const std::int64_t primitives = matmul_primitives_made();
  const std::size_t misses = pool_misses();
  step_by_step(*fresh.network, batch, false);
  EXPECT_EQ(matmul_primitives_made(), primitives);
  EXPECT_EQ(pool_misses(), misses);
}

constexpr auto kNameOfVariant = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, NetworkVariant, testing::ValuesIn(variants()), kNameOfVariant);

}  // namespace
}  // namespace gloss
