// Which embeddings and layers of a recurrent network have dropout.
#include <gtest/gtest.h>

#include "model/networks/recurrent_parts.h"

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

TEST_F(Masks, AreOfAllEmbeddingsAndLayers) {
  const RecurrentMasks masks = drawn();
  EXPECT_EQ(rate(masks.source), 0.25);
  EXPECT_EQ(rate(masks.target), 0.25);
  EXPECT_EQ(rate(masks.output), 0.75);
  for (const auto& layers : {masks.encoder, masks.decoder}) {
    ASSERT_EQ(layers.size(), 2u);
    for (const DropoutMask& mask : layers) EXPECT_EQ(rate(mask), 0.5);
  }
}

TEST_F(Masks, MayLeaveOutWhatReadsTheTarget) {
  settings.dropout_layers = DropoutLayers::source;
  const RecurrentMasks masks = drawn();
  EXPECT_EQ(rate(masks.source), 0.25);
  EXPECT_EQ(rate(masks.target), 0);
  EXPECT_EQ(rate(masks.output), 0.75);
  for (const DropoutMask& mask : masks.encoder) EXPECT_EQ(rate(mask), 0.5);
  for (const DropoutMask& mask : masks.decoder) EXPECT_EQ(rate(mask), 0);
}

}  // namespace
}  // namespace gloss
