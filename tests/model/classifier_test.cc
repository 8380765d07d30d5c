// SPDX-License-Identifier: Apache-2.0
// Networks that classify texts.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "model/networks/convolutional/convolutional_settings.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

struct ClassifierKind {
  int encoder_layers, decoder_layers;
  Pooling pooling;
  NormPlacement norm = NormPlacement::pre;
  std::string architecture = "transformer";
  bool gated = false;
  bool inner_layer = false;
  std::vector<std::string> mixers{"attention"};
  HopTying tying = HopTying::adjacent;
};
const ClassifierKind kClassifierKinds[] = {
    {2, 0, Pooling::first},
    {1, 0, Pooling::mean, NormPlacement::post},
    {2, 0, Pooling::max},
    {0, 2, Pooling::last},
    {2, 0, Pooling::mean, NormPlacement::post, "transformer", true},
    {1, 0, Pooling::first, NormPlacement::post, "transformer", false, true},
    {2, 0, Pooling::max, {}, "recurrent"},
    {1, 0, Pooling::last, {}, "recurrent"},
    {1, 0, Pooling::max, {}, "convolutional"},
    {1, 0, Pooling::mean, {}, "convolutional", false, true},
    {2, 0, Pooling::mean, {}, "transformer", false, false, {"dynamic", "local"}},
    {2, 0, Pooling::max, {}, "transformer", false, false, {"attention", "lightweight"}},
    {1, 0, Pooling::first, {}, "transformer", false, false, {"conformer"}},
    {1, 0, {}, {}, "memory"},
    {1, 0, {}, {}, "memory", false, true, {"attention"}, HopTying::layerwise}};

NetworkSettings settings_of(const ClassifierKind& kind) {
  const bool recurrent = kind.architecture == "recurrent";
  const bool memory = kind.architecture == "memory";
  NetworkSettings s = recurrent ? small_recurrent_settings()
                      : memory  ? small_memory_settings()
                                : small_settings();
  s.own<MemorySettings>().hop_tying = kind.tying;
  s.sizes.encoder_layers = kind.encoder_layers;
  s.sizes.decoder_layers = kind.decoder_layers;
  s.own<TransformerSettings>().norm = kind.norm;
  s.own<TransformerSettings>().activation = Activation::gelu;
  s.own<TransformerSettings>().encoder_mixers = kind.mixers;
  s.own<TransformerSettings>().local.window = 3;
  if (kind.gated) {
    s.own<TransformerSettings>().gated_feed_forward = s.own<TransformerSettings>().embedding_norm = true;
    s.own<TransformerSettings>().norm_type = NormType::rms;
    s.own<TransformerSettings>().linear_bias = s.sizes.scale_embeddings = false;
  }
  if (recurrent) s.own<RecurrentSettings>().attention = AttentionScore::none;
  if (kind.architecture == "convolutional") {
    s.architecture = kind.architecture;
    s.own<ConvolutionalSettings>() = {.filter_widths = {"1", "2", "5"}, .filters = 6};
  }
  s.classifier = {.classes = 3, .pooling = kind.pooling, .inner_layer = kind.inner_layer};
  return s;
}

/// Rows of these lengths; the classes alternate.
Batch labelled_batch(const std::vector<int>& lengths) {
  Random random(7);
  Batch batch;
  TokenId label = 0;
  for (const int length : lengths) {
    std::vector<TokenId> row;
    for (int i = 0; i < length; ++i) row.push_back(static_cast<TokenId>(random.below(57)));
    batch.source.add(row);
    batch.target.add(std::vector<TokenId>{label++ % 3});
  }
  return batch;
}

const ClassPredictor& classifier_of(const Fresh& fresh) { return *fresh.network->class_predictor(); }

TEST(ClassifierNetwork, LossEqualsItsLogProbabilities) {
  for (const ClassifierKind& kind : kClassifierKinds) {
    const Fresh fresh(settings_of(kind));
    Batch batch = labelled_batch({5, 1, 12, 9});
    const std::vector<float> all = classifier_of(fresh).classify(batch.source);
    ASSERT_EQ(all.size(), 12u);
    const std::vector<float> asked = fresh.network->log_probabilities(batch);
    ASSERT_EQ(asked.size(), 4u);
    double lost = 0;
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += std::exp(static_cast<double>(all[row * 3 + i]));
      EXPECT_NEAR(sum, 1, 1e-5);
      EXPECT_EQ(asked[row], all[row * 3 + row % 3]);
      lost -= static_cast<double>(asked[row]);
    }
    const Loss loss = fresh.network->loss(batch, nullptr);
    EXPECT_EQ(loss.tokens, 4);
    EXPECT_EQ(loss.weight, 4);
    EXPECT_NEAR(loss.cross_entropy, lost, 1e-3);
    batch.weights = {0.5f, 0.5f, 0.5f, 0.5f};
    EXPECT_NEAR(fresh.network->loss(batch, nullptr).cross_entropy, lost / 2, 1e-3);
  }
}

TEST(ClassifierNetwork, GradientEqualsCentralDifferencesOfTheLoss) {
  for (const ClassifierKind& kind : kClassifierKinds) {
    Fresh fresh(settings_of(kind));
    expect_gradients_of_differences(fresh, labelled_batch({5, 2, 9}), 2e-3f);
  }
}

TEST(ClassifierNetwork, ARowDoesNotDependOnItsBatch) {
  for (const ClassifierKind& kind : kClassifierKinds) {
    const Fresh fresh(settings_of(kind));
    const Batch together = labelled_batch({5, 1, 12, 9, 30, 3, 8, 2, 17});
    std::vector<float> attention;
    const bool attends = classifier_of(fresh).attention_missing().empty();
    EXPECT_EQ(attends, kind.architecture == "transformer");
    const std::vector<float> all =
        classifier_of(fresh).classify(together.source, attends ? &attention : nullptr);
    ASSERT_EQ(attention.size(), attends ? together.source.tokens.size() : 0);
    EXPECT_EQ(classifier_of(fresh).classify(together.source), all);
    for (int row = 0; row < together.source.rows(); ++row) {
      TokenRows alone;
      alone.add(together.source.row(row));
      std::vector<float> attention_alone;
      const std::vector<float> one =
          classifier_of(fresh).classify(alone, attends ? &attention_alone : nullptr);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(one[i], all[index(row) * 3 + i]);
      if (!attends) continue;
      const double sum = std::accumulate(attention_alone.begin(), attention_alone.end(), 0.0);
      EXPECT_LE(sum, 1 + 1e-5);
      if (kind.mixers.back() != "lightweight") {  // whose kernels reach beyond the ends
        EXPECT_NEAR(sum, 1, 1e-5);
      }
      for (std::size_t i = 0; i < attention_alone.size(); ++i) {
        EXPECT_EQ(attention_alone[i], attention[index(together.source.starts[index(row)]) + i]);
      }
    }
  }
}

TEST(ClassifierNetwork, RejectsInconsistentSettings) {
  NetworkSettings wrong = settings_of(kClassifierKinds[0]);
  wrong.classifier.classes = 1;
  EXPECT_THROW(check(wrong), UsageError);
  wrong = settings_of(kClassifierKinds[0]);
  wrong.sizes.decoder_layers = 1;
  EXPECT_THROW(check(wrong), UsageError) << "a classifier has one side only";
  wrong = small_recurrent_language_model_settings();
  wrong.classifier.classes = 2;
  EXPECT_THROW(check(wrong), UsageError) << "a recurrent classifier needs an encoder";
  wrong = settings_of({1, 0, Pooling::last, {}, "recurrent"});
  check(wrong);
  wrong.own<RecurrentSettings>().reverse_source = true;
  EXPECT_THROW(check(wrong), UsageError);
  wrong.own<RecurrentSettings>().reverse_source = false;
  wrong.own<RecurrentSettings>().attention = AttentionScore::dot;
  EXPECT_THROW(check(wrong), UsageError);
  wrong.own<RecurrentSettings>().attention = AttentionScore::none;
  wrong.own<RecurrentSettings>().bidirectional = false;
  check(wrong);
  wrong.classifier.pooling = Pooling::first;
  EXPECT_THROW(check(wrong), UsageError) << "the first state has not seen the text";
}

TEST(ClassifierNetwork, RejectsFiltersThatCannotBe) {
  const NetworkSettings good = settings_of({1, 0, Pooling::max, {}, "convolutional"});
  check(good);
  for (const std::vector<std::string>& widths :
       std::vector<std::vector<std::string>>{{}, {"0"}, {"65"}, {"3", "3"}, {"-1"}, {"2x"}}) {
    NetworkSettings wrong = good;
    wrong.own<ConvolutionalSettings>().filter_widths = widths;
    EXPECT_THROW(check(wrong), UsageError) << join(widths, " ");
  }
  NetworkSettings wrong = good;
  wrong.sizes.encoder_layers = 2;
  EXPECT_THROW(check(wrong), UsageError);
  wrong = good;
  wrong.classifier.pooling = Pooling::last;
  EXPECT_THROW(check(wrong), UsageError);
  wrong = good;
  wrong.classifier.classes = 0;
  EXPECT_THROW(check(wrong), UsageError) << "it is a classifier only";
}

// A filter of width 2 sees its token and the one before it, and nothing else.
TEST(ClassifierNetwork, FiltersSeeTheirNeighboursOnly) {
  NetworkSettings s = settings_of({1, 0, Pooling::mean, {}, "convolutional"});
  s.own<ConvolutionalSettings>().filter_widths = {"2"};
  const Fresh fresh(s);
  const auto states = [&](const std::vector<TokenId>& tokens) {
    TokenRows rows;
    rows.add(tokens);
    const Tensor all = fresh.network->states(rows);
    std::vector<std::vector<float>> of;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const float* const row = all.data() + index(all.columns()) * i;
      of.emplace_back(row, row + all.columns());
    }
    return of;
  };
  const auto one = states({5, 6, 7, 8}), other = states({9, 6, 7, 3});
  EXPECT_NE(one[0], other[0]);
  EXPECT_NE(one[1], other[1]) << "the token before it is another";
  EXPECT_EQ(one[2], other[2]) << "the window of 2 has the token before it, not the one after it";
  EXPECT_NE(one[3], other[3]);
}

}  // namespace
}  // namespace gloss
