// SPDX-License-Identifier: Apache-2.0
// Hard attention: the sampled keys, and the gradient of the scores.
#include <gtest/gtest.h>

#include <cmath>

#include "base/index.h"
#include "model/tensor/ops_recurrent.h"
#include "op_cases.h"

namespace gloss {
namespace {

constexpr int kKeys = 5;
const std::vector<AttentionSpan> kOneSentence = {{0, 2, 0, kKeys}};

struct HardAttention : testing::Test {
  HardAttention() {
    for (int i = 0; i < kKeys; ++i) identity.data()[i * kKeys + i] = 1;
  }
  /// With the identity as values, the context is the weights themselves, or a one-hot vector of the chosen
  /// key.
  Tensor attended(std::shared_ptr<const KeyDraw> draw) const {
    return attend(queries, keys, identity, {}, kOneSentence, {1, 0.5f, {}, {}, std::move(draw)}).context;
  }
  static int taken(const Tensor& context, std::int64_t row) {
    for (int key = 0; key < kKeys; ++key) {
      if (context.data()[row * kKeys + key] == 1.0f) return key;
    }
    return -1;
  }

  Random random{3};
  Tensor queries = random_tensor({2, 7}, random), keys = random_tensor({kKeys, 7}, random);
  Tensor identity = Tensor::zeros({kKeys, kKeys});
};

TEST_F(HardAttention, SamplesKeysByTheirWeights) {
  const Tensor weights = attended(nullptr);
  constexpr int kDraws = 20000;
  std::vector<double> counts(2 * kKeys, 0.0);
  Random draws(5);
  for (int i = 0; i < kDraws; ++i) {
    const Tensor context = attended(std::make_shared<const KeyDraw>(KeyDraw{&draws, nullptr}));
    for (int row = 0; row < 2; ++row) ++counts.at(index(row * kKeys + taken(context, row)));
  }
  for (int i = 0; i < 2 * kKeys; ++i) {
    EXPECT_NEAR(counts[index(i)] / kDraws, static_cast<double>(weights.data()[i]), 0.02);
  }
}

TEST_F(HardAttention, TakesTheLargestWeightWithoutSampling) {
  const Tensor weights = attended(nullptr),
               context = attended(std::make_shared<const KeyDraw>(KeyDraw{nullptr, nullptr}));
  for (int row = 0; row < 2; ++row) {
    const int key = taken(context, row);
    ASSERT_GE(key, 0);
    for (int other = 0; other < kKeys; ++other) {
      EXPECT_GE(weights.data()[row * kKeys + key], weights.data()[row * kKeys + other]);
    }
  }
}

TEST_F(HardAttention, ScoresGetTheReinforceGradient) {
  queries.want_gradient(Tensor::zeros(queries.shape()));
  const std::vector<float> gains{1.5f, -0.7f};
  Random draws(8);
  const Tensor context =
      attended(std::make_shared<const KeyDraw>(KeyDraw{&draws, std::make_shared<std::vector<float>>(gains)}));
  backward(record(Tensor::zeros({1}), {context}, [](const Tensor&, std::span<const Tensor> of) {
    of[0].hand_gradient(Tensor::zeros(of[0].shape()));
  }));
  const auto loss = [&] {
    const Tensor weights = attended(nullptr);
    double sum = 0;
    for (int row = 0; row < 2; ++row) {
      sum -= static_cast<double>(gains[index(row)]) *
             std::log(static_cast<double>(weights.data()[row * kKeys + taken(context, row)]));
    }
    return sum;
  };
  for (std::int64_t i = 0; i < queries.count(); ++i) {
    float& value = queries.data()[i];
    const float before = value;
    value = before + 1e-2f;
    const double more = loss();
    value = before - 1e-2f;
    const double less = loss();
    value = before;
    EXPECT_NEAR(queries.gradient().data()[i], (more - less) / 2e-2, 2e-3) << "number " << i;
  }
}

}  // namespace
}  // namespace gloss
