// SPDX-License-Identifier: Apache-2.0
// A third architecture, defined only by a row of the table.
#include "model/networks/architecture.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "averaging_network.h"
#include "base/error.h"
#include "model/model_directory.h"
#include "network_checks.h"
#include "network_variants.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

const std::vector<int> kLengths{3, 7, 1, 5};

class ThirdArchitecture : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (architectures().back().name != "averaging") add_architecture(averaging_architecture());
  }

  static NetworkSettings settings() {
    NetworkSettings s = small_settings();
    set_field(architecture_field(s), "averaging", "architecture");
    apply_default_sizes(s);
    s.sizes.width = 24;
    return s;
  }

  static std::string refusal(const NetworkSettings& s, const std::string& name) {
    try {
      refuse_unused(s, [&](const std::string& given) { return given == name; });
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ThirdArchitecture, HasTheSettingsOfItsRow) {
  NetworkSettings s = settings();
  const auto has = [](const Fields& fields, const std::string& name) {
    return std::ranges::find(fields, name, &Field::name) != fields.end();
  };
  EXPECT_TRUE(has(fields_of(s), "mixed_bag"));
  EXPECT_TRUE(has(fields_of(s), "feed_forward_width"));
  EXPECT_TRUE(has(all_fields_of(s), "mixed_bag"));
  EXPECT_FALSE(has(all_fields_of(s), "feed_forward_width"));
  EXPECT_EQ(s.sizes.decoder_layers, 1);
  EXPECT_FALSE(has_presets(s));
  EXPECT_EQ(refusal(s, "width"), "");
  EXPECT_NE(refusal(s, "heads").find("no attention"), std::string::npos);
  EXPECT_NE(refusal(s, "cell").find("the architecture is 'averaging'"), std::string::npos);
  EXPECT_NE(refusal(small_settings(), "mixed_bag").find("it is for averaging networks"), std::string::npos);
  s.sizes.encoder_layers = 0;
  Parameters parameters;
  EXPECT_THROW(make_network(s, parameters), UsageError);
}

TEST_F(ThirdArchitecture, FieldsRemainValidAsLongAsTheirSettings) {
  NetworkSettings s = settings();
  const Fields fields = fields_of(s);
  NetworkSettings other = settings();
  other.own<AveragingSettings>().mixed_bag = false;
  s = other;
  const auto field = std::ranges::find(fields, "mixed_bag", &Field::name);
  EXPECT_EQ(field_text(*field), "false");
  set_field(*field, "true", "mixed_bag");
  EXPECT_TRUE(s.own<AveragingSettings>().mixed_bag);
  EXPECT_FALSE(other.own<AveragingSettings>().mixed_bag);
}

TEST_F(ThirdArchitecture, DecodesLikeTeacherForcingAndTrains) {
  const NetworkSettings s = settings();
  Fresh fresh(s);
  const Batch batch = random_batch(s, kLengths, 5);
  const std::vector<float> taught = fresh.network->log_probabilities(batch);
  const std::vector<std::vector<double>> steps = step_by_step(*fresh.network, batch, true);
  std::size_t token = 0;
  for (const std::vector<double>& row : steps) {
    for (const double step : row) EXPECT_NEAR(taught[token++], step, 1e-4);
  }
  EXPECT_EQ(token, taught.size());
  expect_gradients_of_differences(fresh, batch, 1e-2f);
}

TEST_F(ThirdArchitecture, TrainsWritesAndReadsAModel) {
  const NetworkSettings s = settings();
  Fresh fresh(s);
  fresh.parameters.keep_gradients();
  const Batch batch = random_batch(s, kLengths, 5);
  const double before = fresh.network->loss(batch, nullptr).cross_entropy;
  for (int step = 0; step < 5; ++step) {
    backward(fresh.network->loss(batch, nullptr).sum);
    const std::span<float> values = fresh.parameters.values(), gradients = fresh.parameters.gradients();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= 0.01f * std::exchange(gradients[i], 0.0f);
  }
  EXPECT_LT(fresh.network->loss(batch, nullptr).cross_entropy, before);

  const TemporaryDirectory folder;
  write_model(folder / "", s, fresh.parameters, {});
  const nlohmann::json network = read_model_config(folder / "").at("network");
  EXPECT_EQ(network.at("architecture"), "averaging");
  EXPECT_EQ(network.at("mixed_bag"), true);
  EXPECT_FALSE(network.contains("feed_forward_width"));
  const Model model = read_model(folder / "", Weights::in_place);
  EXPECT_EQ(model.settings.sizes.width, 24);
  EXPECT_EQ(model.network->log_probabilities(batch), fresh.network->log_probabilities(batch));
}

}  // namespace
}  // namespace gloss
