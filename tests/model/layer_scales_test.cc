// SPDX-License-Identifier: Apache-2.0

#include "model/networks/branches/layer_scales.h"

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

TEST(LayerScales, ApplyToValuesAndFeedForwardLayersNotToQueriesAndKeys) {
  NetworkSettings settings;
  settings.sizes.encoder_layers = settings.sizes.decoder_layers = 2;
  settings.sizes.width = 64;
  settings.sizes.heads = 4;
  settings.own<TransformerSettings>().feed_forward_width = 64;
  settings.source_vocabulary = settings.target_vocabulary = 50;
  const auto initialised = [&](bool deep) {
    settings.own<TransformerSettings>().deep_norm = deep;
    auto parameters = std::make_unique<Parameters>();
    const auto network = make_network(settings, *parameters);
    Random random(1);
    parameters->initialise(random);
    return parameters;
  };
  const auto plain = initialised(false), deep = initialised(true);
  const double scale =
      layer_scales(settings.sizes, settings.own<TransformerSettings>(), LayerStack::decoder).initial.inner;
  ASSERT_LT(scale, 0.9);
  const auto expect = [&](const std::string& name, std::int64_t first_row, double factor) {
    EXPECT_NEAR(size_of_values(*deep, name, first_row), factor * size_of_values(*plain, name, first_row),
                1e-6)
        << name;
  };
  expect("decoder.1.self_attention.query_key_value.weight", 128, scale);
  expect("decoder.1.self_attention.output.weight", 0, scale);
  expect("decoder.1.cross_attention.key_value.weight", 64, scale);
  expect("decoder.1.cross_attention.query.weight", 0, 1);
  expect("decoder.1.feed_forward.inner.weight", 0, scale);
  expect("decoder.1.feed_forward.outer.weight", 0, scale);
  expect("embedding.weight", 0, 1);
}

}  // namespace
}  // namespace gloss
