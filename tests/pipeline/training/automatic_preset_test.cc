// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/automatic_preset.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gloss {
namespace {

/// A user chooses one layer for each side and leaves the other sizes to the preset.
struct AutomaticPresetTest : testing::Test {
  NetworkOfPreset network_of = [this](Preset preset) {
    NetworkSettings network;
    apply_preset(preset, network);
    network.sizes.encoder_layers = network.sizes.decoder_layers = 1;
    network.sizes.dropout = dropout;
    return network;
  };
  nlohmann::json stored(Preset preset) const {
    NetworkSettings network = network_of(preset);
    return fields_to_json(fields_of(network));
  }
  double dropout = 0.1;
};

TEST_F(AutomaticPresetTest, GrowsWithTheText) {
  EXPECT_EQ(preset_for(0), Preset::tiny);
  EXPECT_EQ(preset_for(199'999), Preset::tiny);
  EXPECT_EQ(preset_for(200'000), Preset::small);
  EXPECT_EQ(preset_for(1'999'999), Preset::small);
  EXPECT_EQ(preset_for(2'000'000), Preset::base);
}

TEST_F(AutomaticPresetTest, FindsThePresetOfACheckpoint) {
  for (const Preset preset :
       {Preset::tiny, Preset::small, Preset::base, Preset::big, Preset::student, Preset::student_tiny}) {
    const nlohmann::json before = stored(preset);
    EXPECT_EQ(stored_preset(network_of, before), preset);
    dropout = 0.2;  // a changed setting when the training continues
    EXPECT_EQ(stored_preset(network_of, before), preset);
    dropout = 0.1;
  }
  EXPECT_EQ(stored_preset(network_of, nlohmann::json::object()), Preset::base);
}

TEST_F(AutomaticPresetTest, IsReportedIfItHasAnEffect) {
  const std::string text = preset_text(network_of, 29'000);
  for (const char* part : {"--preset tiny", "29000 lines"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(preset_text([](Preset) { return NetworkSettings(); }, 29'000), "");
}

}  // namespace
}  // namespace gloss
