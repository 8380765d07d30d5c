// SPDX-License-Identifier: Apache-2.0
// Components of recurrent networks: embeddings, the placement of dropout, initialisation.
#include <gtest/gtest.h>

#include <cmath>

#include "model/layers/initialisers.h"
#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/step_rows.h"

namespace gloss {
namespace {

struct Masks : testing::Test {
  Masks() {
    sizes.encoder_layers = sizes.decoder_layers = 2;
    sizes.dropout = 0.5;
    sizes.embedding_dropout = 0.25;
    settings.output_dropout = 0.75;
  }
  RecurrentMasks drawn() { return {sizes, settings, &random}; }
  static double rate(const DropoutMask& mask) { return static_cast<double>(mask.threshold) / 4294967296.0; }

  Random random{1};
  NetworkSizes sizes;
  RecurrentSettings settings;
};

TEST_F(Masks, CoverAllEmbeddingsAndLayers) {
  const RecurrentMasks masks = drawn();
  EXPECT_EQ(rate(masks.source), 0.25);
  EXPECT_EQ(rate(masks.target), 0.25);
  EXPECT_EQ(rate(masks.output), 0.75);
  for (const auto& layers : {masks.encoder, masks.decoder}) {
    ASSERT_EQ(layers.size(), 2u);
    for (const DropoutMask& mask : layers) EXPECT_EQ(rate(mask), 0.5);
  }
}

TEST_F(Masks, MayLeaveOutTheTargetSide) {
  settings.dropout_layers = DropoutLayers::source;
  const RecurrentMasks masks = drawn();
  EXPECT_EQ(rate(masks.source), 0.25);
  EXPECT_EQ(rate(masks.target), 0);
  EXPECT_EQ(rate(masks.output), 0.75);
  for (const DropoutMask& mask : masks.encoder) EXPECT_EQ(rate(mask), 0.5);
  for (const DropoutMask& mask : masks.decoder) EXPECT_EQ(rate(mask), 0);
}

TEST(Embeddings, AreScaledByTheSquareRootOfTheirWidth) {
  const Tensor table = Tensor::zeros({3, 4});
  for (int i = 0; i < 12; ++i) table.data()[i] = static_cast<float>(i);
  const std::vector<TokenId> tokens{2, 0};
  NetworkSizes sizes;
  const Tensor scaled = embed_tokens(table, tokens, sizes, {}, {});
  sizes.scale_embeddings = false;
  const Tensor plain = embed_tokens(table, tokens, sizes, {}, {});
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(plain.data()[i], static_cast<float>(8 + i));
    EXPECT_EQ(scaled.data()[i], static_cast<float>(2 * (8 + i)));
    EXPECT_EQ(plain.data()[4 + i], static_cast<float>(i));
  }
}

TEST(Initialisation, RecurrentWeightsAreOrthogonalAndDiffer) {
  constexpr std::size_t kWidth = 20, kGates = 3;
  std::vector<float> values(kGates * kWidth * kWidth);
  Random random(7);
  orthogonal_matrices(kWidth)(values, random);
  double sum = 0;
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    const auto at = [&](std::size_t row, std::size_t column) {
      return static_cast<double>(values[(gate * kWidth + row) * kWidth + column]);
    };
    for (std::size_t a = 0; a < kWidth; ++a) {
      for (std::size_t b = 0; b < kWidth; ++b) {
        double rows = 0, columns = 0;
        for (std::size_t i = 0; i < kWidth; ++i) {
          rows += at(a, i) * at(b, i);
          columns += at(i, a) * at(i, b);
        }
        EXPECT_NEAR(rows, a == b ? 1 : 0, 1e-4) << gate << ": rows " << a << " and " << b;
        EXPECT_NEAR(columns, a == b ? 1 : 0, 1e-4) << gate << ": columns " << a << " and " << b;
      }
      sum += at(a, a);
    }
  }
  EXPECT_LT(std::abs(sum), kGates * kWidth / 2.0) << "no identity";
  EXPECT_NE(values[0], values[kWidth * kWidth]);
}

}  // namespace
}  // namespace gloss
