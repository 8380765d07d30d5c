// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/network_learner.h"
#include "base/index.h"
#include "model/tensor/can_multiply.h"
#include "pipeline/tasks/corpus_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/layers/weight_ranges.h"
#include "model/networks/mixers/transformer_settings.h"
#include "model/tensor/stored_matrix.h"
#include "pipeline/examples/batching.h"
#include "pipeline/training/validation.h"

namespace gloss {
namespace {

NetworkSettings small_network() {
  NetworkSettings settings;
  settings.sizes.encoder_layers = settings.sizes.decoder_layers = 1;
  settings.sizes.width = 16;
  settings.own<TransformerSettings>().feed_forward_width = 32;
  settings.sizes.heads = 2;
  settings.sizes.dropout = settings.sizes.embedding_dropout = 0;
  settings.source_vocabulary = settings.target_vocabulary = 20;
  return settings;
}

Corpus random_corpus(int pairs) {
  Random random(11);
  Corpus corpus;
  for (int i = 0; i < pairs; ++i) {
    std::vector<TokenId> source(1 + random.below(8)), target(1 + random.below(8));
    for (TokenId& token : source) token = static_cast<TokenId>(3 + random.below(17));
    for (TokenId& token : target) token = static_cast<TokenId>(3 + random.below(17));
    source.push_back(2);
    target.push_back(2);
    const auto last = static_cast<std::int32_t>(std::min(source.size(), target.size())) - 1;
    const std::vector<TokenLink> links{{0, 0}, {last, last}};
    corpus.add(source, target, 1, links);
  }
  return corpus;
}

struct NetworkLearnerTest : testing::Test {
  NetworkLearnerTest() {
    Random random(1);
    parameters.initialise(random);
  }
  ShardedGradient sharded(int shards, double smoothing = 0.1) {
    std::vector<std::unique_ptr<Learner>> learners;
    for (int i = 0; i < shards; ++i) {
      learners.push_back(std::make_unique<NetworkLearner>(
          settings, parameters, working, LearningGoal{{smoothing, alignment_weight}, nullptr}, frozen));
    }
    return ShardedGradient(std::move(learners), alone);
  }
  /// The gradient of batches with the given number of pairs, and their losses.
  LossFigures gradient(int shards, int batch_pairs, int threads, std::vector<float>& sum) {
    std::vector<PairIndex> pairs(corpus.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = static_cast<PairIndex>(i);
    UpdateBatches batches(shards);
    for (std::size_t i = 0; i < pairs.size(); i += index(batch_pairs)) {
      const auto count = std::min<std::size_t>(pairs.size() - i, index(batch_pairs));
      batches.add(corpus, std::span(pairs).subspan(i, count), nullptr);
    }
    WorkerThreads workers(threads);
    ShardedGradient all = sharded(shards);
    const LossFigures figures = all.compute(batches, Random(4), workers);
    sum.assign(all.sum().begin(), all.sum().end());
    return figures;
  }

  SingleRank alone;
  NetworkSettings settings = small_network();
  Parameters parameters;
  std::unique_ptr<Network> network = make_network(settings, parameters);
  Corpus corpus = random_corpus(24);
  std::shared_ptr<WorkingWeights> working;  // null: f32
  std::vector<std::string> frozen;
  double alignment_weight = 0;
};

double size_of_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / size);
}

TEST_F(NetworkLearnerTest, Bf16GivesTheGradientOfF32WithinRounding) {
  if (!can_multiply(DType::bf16)) GTEST_SKIP() << "bf16 cannot be multiplied";
  std::vector<float> exact, rounded, again;
  gradient(2, 24, 1, exact);
  working = working_weights(parameters, {.precision = Precision::bf16});
  gradient(2, 24, 1, rounded);
  EXPECT_LT(size_of_difference(rounded, exact), 0.05);
  EXPECT_NE(rounded, exact);
  gradient(2, 24, 2, again);
  EXPECT_EQ(again, rounded) << "bit-identical for any number of threads";
}

TEST_F(NetworkLearnerTest, AttentionFollowsLinksInEveryPrecision) {
  std::vector<float> plain, exact, again, rounded;
  const double without = gradient(2, 24, 1, plain).loss;
  alignment_weight = 2;
  EXPECT_GT(gradient(2, 24, 1, exact).loss, without + 10);
  EXPECT_GT(size_of_difference(plain, exact), 0.1);
  gradient(2, 24, 2, again);
  EXPECT_EQ(again, exact) << "bit-identical for any number of threads";
  if (!can_multiply(DType::bf16)) GTEST_SKIP() << "bf16 cannot be multiplied";
  working = working_weights(parameters, {.precision = Precision::bf16});
  gradient(2, 24, 1, rounded);
  EXPECT_LT(size_of_difference(rounded, exact), 0.05);
  EXPECT_NE(rounded, exact);
}

TEST_F(NetworkLearnerTest, Bf16FollowsWeightsThatChange) {
  if (!can_multiply(DType::bf16)) GTEST_SKIP() << "bf16 cannot be multiplied";
  std::vector<float> exact, rounded;
  working = working_weights(parameters, {.precision = Precision::bf16});
  gradient(1, 24, 1, rounded);
  for (float& weight : parameters.values()) weight *= 0.5f;
  gradient(1, 24, 1, rounded);
  working = nullptr;
  gradient(1, 24, 1, exact);
  EXPECT_LT(size_of_difference(rounded, exact), 0.05);
}

TEST_F(NetworkLearnerTest, RoundedWeightsAreThoseOfAQuantisedModel) {
  for (const Rounding rounding : {Rounding::int8, Rounding::int4}) {
    std::vector<float> exact, rounded, again;
    working = nullptr;
    gradient(2, 24, 1, exact);
    working = working_weights(parameters, {.precision = Precision::f32, .quantization_aware = rounding});
    const double loss = gradient(2, 24, 1, rounded).loss;
    EXPECT_LT(size_of_difference(rounded, exact), rounding == Rounding::int8 ? 0.05 : 0.5);
    EXPECT_NE(rounded, exact);
    gradient(2, 24, 2, again);
    EXPECT_EQ(again, rounded) << "bit-identical for any number of threads";

    // The learned weights are unchanged, and rounding them first changes nothing more.
    const std::vector<float> learned(parameters.values().begin(), parameters.values().end());
    gradient(2, 24, 1, again);
    EXPECT_EQ(std::vector<float>(parameters.values().begin(), parameters.values().end()), learned);
    for (const Parameters::Entry& entry : parameters.entries()) {
      if (entry.role == Role::other) continue;
      const std::int64_t columns = entry.tensor.columns();
      const ConvertedMatrix stored(entry.tensor.stored(), stored_type(rounding));
      for (std::int64_t row = 0; row < entry.tensor.rows(); ++row) {
        widen_row(stored.matrix(), row, entry.tensor.data() + row * columns);
      }
    }
    EXPECT_NEAR(gradient(2, 24, 1, again).loss, loss, 1e-4 * loss);
    std::ranges::copy(learned, parameters.values().begin());
  }
}

TEST_F(NetworkLearnerTest, RoundedWeightsAreCopiedToBf16) {
  if (!can_multiply(DType::bf16)) GTEST_SKIP() << "bf16 cannot be multiplied";
  for (const Rounding rounding : {Rounding::int8, Rounding::int4}) {
    std::vector<float> in_f32, in_bf16, again;
    working = working_weights(parameters, {.precision = Precision::f32, .quantization_aware = rounding});
    gradient(2, 24, 1, in_f32);
    working = working_weights(parameters, {.precision = Precision::bf16, .quantization_aware = rounding});
    gradient(2, 24, 1, in_bf16);
    // bf16 also makes inputs round to other integers of 8 bits here and there.
    EXPECT_LT(size_of_difference(in_bf16, in_f32), 0.15);
    EXPECT_NE(in_bf16, in_f32);
    gradient(2, 24, 2, again);
    EXPECT_EQ(again, in_bf16) << "bit-identical for any number of threads";
  }
}

TEST_F(NetworkLearnerTest, RoundedWeightsFollowWeightsThatChange) {
  std::vector<float> rounded, exact;
  working = working_weights(parameters, {.precision = Precision::f32, .quantization_aware = Rounding::int8});
  gradient(1, 24, 1, rounded);
  for (float& weight : parameters.values()) weight *= 0.5f;
  gradient(1, 24, 1, rounded);
  working = nullptr;
  gradient(1, 24, 1, exact);
  EXPECT_LT(size_of_difference(rounded, exact), 0.05);
}

TEST_F(NetworkLearnerTest, FrozenParametersGetNoGradientAndOthersTheSame) {
  for (const bool in_bf16 : {false, true}) {
    if (in_bf16 && !can_multiply(DType::bf16)) continue;
    if (in_bf16) working = working_weights(parameters, {.precision = Precision::bf16});
    frozen.clear();
    std::vector<float> whole, part;
    gradient(2, 24, 1, whole);
    for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
             {"encoder", "embedding"}, {"decoder"}, {"encoder.0.self_attention.query_key_value.bias"}}) {
      frozen = names;
      gradient(2, 24, 1, part);
      for (const WeightRange& range : weight_ranges(parameters)) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
          ASSERT_EQ(part[i], is_frozen(range.name, frozen) ? 0.0f : whole[i]) << range.name;
        }
      }
    }
  }
}

TEST_F(NetworkLearnerTest, ShardsAndAccumulationGiveTheGradientOfTheWhole) {
  std::vector<float> whole, parts;
  const LossFigures expected = gradient(1, 24, 1, whole);
  EXPECT_EQ(expected.tokens, corpus.target_tokens());
  for (const auto& [shards, batch_pairs] :
       {std::pair(3, 24), std::pair(1, 7), std::pair(2, 5), std::pair(40, 24)}) {
    const LossFigures figures = gradient(shards, batch_pairs, 2, parts);
    EXPECT_EQ(figures.tokens, expected.tokens);
    EXPECT_NEAR(figures.loss, expected.loss, 1e-4 * expected.loss);
    ASSERT_EQ(parts.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      ASSERT_NEAR(parts[i], whole[i], 2e-4 * (1 + std::fabs(whole[i])));
  }
}

TEST_F(NetworkLearnerTest, GradientsAreTheSameBitForBitForAnyNumberOfThreads) {
  std::vector<float> one, more;
  settings.sizes.dropout = 0.2;
  gradient(3, 10, 1, one);
  for (const int threads : {2, 3, 7}) {
    gradient(3, 10, threads, more);
    EXPECT_EQ(one, more) << threads;
  }
}

TEST_F(NetworkLearnerTest, ValidationGivesTheCrossEntropyOfTheWholeCorpus) {
  std::vector<float> unused;
  const LossFigures figures = gradient(1, 24, 1, unused);  // no dropout: the same figure
  WorkerThreads one(1), three(3);
  const double mean = cross_entropy(*network, corpus, 30, one, alone);
  EXPECT_NEAR(mean, figures.cross_entropy / static_cast<double>(figures.tokens), 1e-4);
  EXPECT_EQ(cross_entropy(*network, corpus, 30, three, alone), mean);
}

}  // namespace
}  // namespace gloss
