// SPDX-License-Identifier: Apache-2.0
// Networks that classify images.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/sources/image_embedding.h"
#include "model/networks/transformer/position_schemes.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

struct ImageNetworkKind {
  Pooling pooling = Pooling::mean;
  Positions positions = Positions::learned;
  std::vector<std::string> mixers{"attention"};
  std::vector<std::string> stem{}, strides{};
  int channels = 1;
  int patch_size = 2;
};
const std::vector<ImageNetworkKind> kImageNetworks{
    {},
    {.pooling = Pooling::first, .channels = 3},
    {.pooling = Pooling::first, .positions = Positions::sinusoidal, .stem = {"5"}, .strides = {"1"}},
    {.positions = Positions::none, .stem = {"4", "6"}, .strides = {"1", "2"}, .channels = 3, .patch_size = 1},
    {.mixers = {"conformer"}, .stem = {"5"}, .patch_size = 1},
    {.pooling = Pooling::max, .mixers = {"dynamic"}},
    {.mixers = {"conv-mixer"}, .stem = {"5"}, .strides = {"1"}, .patch_size = 1},
    {.mixers = {"gated-convolution"}},
    {.positions = Positions::relative, .channels = 3},
    {.positions = Positions::sinusoidal_relative},
    {.positions = Positions::relative, .mixers = {"conformer"}, .stem = {"5"}, .patch_size = 1}};

NetworkSettings image_network_settings(const ImageNetworkKind& kind) {
  NetworkSettings s = small_settings();
  s.sizes.encoder_layers = 1;
  s.sizes.decoder_layers = 0;
  s.classifier = {.classes = 3, .pooling = kind.pooling};
  auto& own = s.own<TransformerSettings>();
  own.norm = NormPlacement::pre;
  own.activation = Activation::gelu;
  own.positions = kind.positions;
  own.encoder_mixers = kind.mixers;
  own.kernels.widths = {};
  s.source.type = SourceType::image;
  s.source.image = {.height = 4,
                    .width = 6,
                    .channels = kind.channels,
                    .mean = std::vector<std::string>(index(kind.channels), "120"),
                    .deviation = std::vector<std::string>(index(kind.channels), "70.5"),
                    .patch_size = kind.patch_size};
  s.source.stem = {kind.stem, kind.strides};
  set_vocabulary(s, kWithoutText);
  s.sizes.max_positions = row_length(s);
  return s;
}

/// Images of random pixels; the classes alternate.
Batch random_images(const NetworkSettings& s, int count, std::uint64_t seed = 5) {
  Random random(seed);
  Batch batch;
  for (int i = 0; i < count; ++i) {
    add_random_item(s, 0, random, batch.source);
    batch.target.add(std::vector<TokenId>{i % 3});
  }
  return batch;
}

TEST(ImageNetwork, GradientEqualsCentralDifferencesOfTheLoss) {
  for (const ImageNetworkKind& kind : kImageNetworks) {
    const NetworkSettings s = image_network_settings(kind);
    Fresh fresh(s);
    // Small steps, since ReLU has a corner.
    expect_gradients_of_differences(fresh, random_images(s, 3), kind.stem.empty() ? 2e-3f : 1e-3f);
  }
}

TEST(ImageNetwork, AnImageDoesNotDependOnItsBatch) {
  for (const ImageNetworkKind& kind : kImageNetworks) {
    const NetworkSettings s = image_network_settings(kind);
    const Fresh fresh(s);
    const Batch together = random_images(s, 5);
    const std::vector<float> all = fresh.network->class_predictor()->classify(together.source);
    for (int image = 0; image < 5; ++image) {
      TokenRows alone;
      alone.add(together.source, image);
      const std::vector<float> one = fresh.network->class_predictor()->classify(alone);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(one[i], all[index(image) * 3 + i]);
    }
  }
}

// Swapping two patches changes the result unless there are no positions and no convolutions.
TEST(ImageNetwork, PositionsTellPatchesApart) {
  for (const Positions positions : {Positions::none, Positions::learned, Positions::sinusoidal}) {
    const NetworkSettings s = image_network_settings({.positions = positions});
    const Fresh fresh(s);
    Batch batch = random_images(s, 1);
    const std::vector<float> before = fresh.network->class_predictor()->classify(batch.source);
    std::vector<float>& pixels = batch.source.numbers;
    for (const std::size_t pixel : {0, 1, 6, 7})
      std::swap(pixels[pixel], pixels[pixel + 14]);  // 2 down, 2 right
    const std::vector<float> after = fresh.network->class_predictor()->classify(batch.source);
    double change = 0;
    for (std::size_t i = 0; i < 3; ++i) change += std::abs(static_cast<double>(after[i] - before[i]));
    EXPECT_EQ(change > 1e-4, positions != Positions::none) << change;
  }
}

TEST(ImageNetwork, SinusoidalPositionsHaveTwoDimensions) {
  const Tensor table = grid_positions({3, 5}, 8, 1);
  ASSERT_EQ(table.rows(), 16);
  const Tensor line = sinusoidal_positions(5, 4);
  const float* const place = table.data() + (1 + 2 * 5 + 3) * 8;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(table.data()[i], 0) << "the class token has no position";
    EXPECT_EQ(place[i], line.data()[2 * 4 + i]);
    EXPECT_EQ(place[4 + i], line.data()[3 * 4 + i]);
  }
}

TEST(ImageNetwork, SettingsThatCannotBeAreRefused) {
  const auto refused = [](const std::string& word, const std::function<void(NetworkSettings&)>& change) {
    NetworkSettings s = image_network_settings({});
    check(s);
    change(s);
    try {
      check(s);
      ADD_FAILURE() << "accepted: " << word;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused("patch", [](NetworkSettings& s) { s.source.image.patch_size = 4; });
  refused("channels", [](NetworkSettings& s) { s.source.image.channels = 2; });
  refused("image_mean", [](NetworkSettings& s) { s.source.image.mean = {"1", "2"}; });
  refused("image_deviation", [](NetworkSettings& s) { s.source.image.deviation = {"nan"}; });
  refused("stem_widths", [](NetworkSettings& s) { s.source.stem.widths = {"0"}; });
  refused("stem_strides", [](NetworkSettings& s) { s.source.stem.strides = {"2"}; });
  refused("max_positions", [](NetworkSettings& s) { s.sizes.max_positions = 5; });
  refused("positions",
          [](NetworkSettings& s) { s.own<TransformerSettings>().positions = Positions::rotary; });
  refused("recurrent", [](NetworkSettings& s) {
    s.architecture = "recurrent";
    s.own<RecurrentSettings>().attention = AttentionScore::none;
  });
  refused("decoder layers", [](NetworkSettings& s) { s.classifier.classes = 0; });
  refused("image_height", [](NetworkSettings& s) { s.source.image.height = 0; });
  refused("audio_rate", [](NetworkSettings& s) { s.source.type = SourceType::audio; });
  refused("audio_bands", [](NetworkSettings& s) {
    read_sound(s);
    s.source.audio.bands = 500;
  });
  refused("audio_deviation", [](NetworkSettings& s) {
    read_sound(s);
    s.source.audio.norm = AudioNorm::global;
    s.source.audio.mean.assign(6, "0");
  });
  refused("feature_numbers", [](NetworkSettings& s) { s.source.type = SourceType::features; });
  refused("feature_columns", [](NetworkSettings& s) {
    s.source.type = SourceType::features;
    s.source.features = {.numbers = 3, .columns = 90, .normalise = false, .mean = {}, .deviation = {}};
  });
  refused("feature_mean", [](NetworkSettings& s) {
    s.source.type = SourceType::features;
    s.source.features = {
        .numbers = 2, .columns = 0, .normalise = true, .mean = {"1", "inf"}, .deviation = {}};
  });
  refused("max_positions", [](NetworkSettings& s) {
    s.architecture = "recurrent";
    s.classifier.classes = 0;
    s.sizes.decoder_layers = 1;
    read_sound(s);
    s.sizes.max_positions = 1'000'000;
  });
}

}  // namespace
}  // namespace gloss
