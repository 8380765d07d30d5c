// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/layer_scales.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/index.h"
#include "model/networks/factory.h"

namespace gloss {
namespace {

TEST(LayerScales, AreThoseOfThePaper) {
  NetworkSizes sizes;
  sizes.encoder_layers = 18;
  sizes.decoder_layers = 6;
  TransformerSettings settings;
  settings.deep_norm = true;
  const LayerScales encoder = layer_scales(sizes, settings, LayerStack::encoder);
  EXPECT_NEAR(encoder.input, 0.81 * std::pow(18.0 * 18 * 18 * 18 * 6, 0.0625), 1e-9);
  EXPECT_NEAR(encoder.initial.outer, 0.87 * std::pow(18.0 * 18 * 18 * 18 * 6, -0.0625), 1e-9);
  const LayerScales decoder = layer_scales(sizes, settings, LayerStack::decoder);
  EXPECT_NEAR(decoder.input, std::pow(18.0, 0.25), 1e-9);
  EXPECT_NEAR(decoder.initial.inner, std::pow(72.0, -0.25), 1e-9);
  sizes.encoder_layers = 0;
  const LayerScales only = layer_scales(sizes, settings, LayerStack::only);
  EXPECT_NEAR(only.input, std::pow(12.0, 0.25), 1e-9);
  EXPECT_NEAR(only.initial.inner, std::pow(48.0, -0.25), 1e-9);
  settings.deep_norm = false;
  EXPECT_EQ(layer_scales(sizes, settings, LayerStack::decoder).input, 1);
  EXPECT_EQ(layer_scales(sizes, settings, LayerStack::only).initial.inner, 1);
}

/// The root mean square of some initial values.
double size_of_values(const Parameters& parameters, const std::string& name, std::int64_t first_row) {
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (entry.name != name) continue;
    const auto values = entry.tensor.values().subspan(index(first_row * entry.tensor.columns()));
    double squares = 0;
    for (const float value : values) squares += double{value} * double{value};
    return std::sqrt(squares / static_cast<double>(values.size()));
  }
  ADD_FAILURE() << "there is no " << name;
  return 0;
}

/// The initial values of a small network without and with deep_norm.
class InitialValues {
 public:
  explicit InitialValues(const std::string& encoder_mixer) {
    settings_.sizes.encoder_layers = settings_.sizes.decoder_layers = 2;
    settings_.sizes.width = 64;
    settings_.sizes.heads = 4;
    own().feed_forward_width = 64;
    own().encoder_mixers = {encoder_mixer};
    settings_.source_vocabulary = settings_.target_vocabulary = 50;
    initialise(plain_);
    own().deep_norm = true;
    initialise(deep_);
  }

  double scale(LayerStack stack) { return layer_scales(settings_.sizes, own(), stack).initial.inner; }

  void expect_factor(const std::string& name, std::int64_t first_row, double factor) const {
    EXPECT_NEAR(size_of_values(deep_, name, first_row), factor * size_of_values(plain_, name, first_row),
                1e-6)
        << name;
  }

 private:
  TransformerSettings& own() { return settings_.own<TransformerSettings>(); }
  void initialise(Parameters& parameters) {
    const auto network = make_network(settings_, parameters);
    Random random(1);
    parameters.initialise(random);
  }

  NetworkSettings settings_;
  Parameters plain_, deep_;
};

TEST(LayerScales, ApplyToValuesAndFeedForwardLayersNotToQueriesAndKeys) {
  InitialValues values("attention");
  const double scale = values.scale(LayerStack::decoder);
  ASSERT_LT(scale, 0.9);
  values.expect_factor("decoder.1.self_attention.query_key_value.weight", 128, scale);
  values.expect_factor("decoder.1.self_attention.output.weight", 0, scale);
  values.expect_factor("decoder.1.cross_attention.key_value.weight", 64, scale);
  values.expect_factor("decoder.1.cross_attention.query.weight", 0, 1);
  values.expect_factor("decoder.1.feed_forward.inner.weight", 0, scale);
  values.expect_factor("decoder.1.feed_forward.outer.weight", 0, scale);
  values.expect_factor("embedding.weight", 0, 1);
}

TEST(LayerScales, ApplyToTheLayersAroundAConvolutionNotToItsKernel) {
  InitialValues values("dynamic");
  const double scale = values.scale(LayerStack::encoder);
  ASSERT_LT(scale, 0.9);
  values.expect_factor("encoder.1.dynamic_convolution.input.weight", 0, scale);
  values.expect_factor("encoder.1.dynamic_convolution.output.weight", 0, scale);
  values.expect_factor("encoder.1.dynamic_convolution.kernel.weight", 0, 1);
  values.expect_factor("encoder.1.feed_forward.inner.weight", 0, scale);
}

}  // namespace
}  // namespace gloss
