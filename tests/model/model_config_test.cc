// SPDX-License-Identifier: Apache-2.0
// config.json of a model: missing, unknown and absurd members.
#include "written_model.h"

namespace gloss {
namespace {

using ModelConfig = WrittenModel;

TEST_F(ModelConfig, ModelsOfOlderVersionsHaveNoSums) {
  nlohmann::json config = nlohmann::json::parse(config_);
  EXPECT_EQ(config["sums"].size(), 1u);
  config.erase("sums");
  directory_.write("config.json", config.dump());
  EXPECT_EQ(message(), "");
  for (const char* sums : {"[]", "7", "{\"model.safetensors\": 7}", "{}"}) {
    config["sums"] = nlohmann::json::parse(sums);
    directory_.write("config.json", config.dump());
    expect_refused("'sums'");
  }
}

TEST_F(ModelConfig, EveryTruncationOfTheConfigIsRefused) {
  const std::size_t last_brace = config_.rfind('}');
  for (std::size_t size = 0; size <= last_brace; ++size) {
    directory_.write("config.json", config_.substr(0, size));
    ASSERT_NE(message(), "") << "cut to " << size << " bytes";
  }
}

TEST_F(ModelConfig, AbsurdSizesInTheConfigAreRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, nlohmann::json>>{{"width", 65536},
                                                           {"encoder_layers", 1000},
                                                           {"target_vocabulary", 16000000},
                                                           {"heads", 0},
                                                           {"width", -1},
                                                           {"width", 1e300},
                                                           {"dropout", 2},
                                                           {"norm", "middle"},
                                                           {"heads", "2"},
                                                           {"max_positions", 99999999999}}) {
    nlohmann::json config = nlohmann::json::parse(config_);
    config["network"][name] = value;
    directory_.write("config.json", config.dump());
    EXPECT_NE(message(), "") << name << " = " << value;
  }
}

TEST_F(ModelConfig, UnknownAndMissingMembersAreNamed) {
  nlohmann::json config = nlohmann::json::parse(config_);
  config["network"]["colour"] = "red";
  directory_.write("config.json", config.dump());
  expect_refused("colour");
  config = nlohmann::json::parse(config_);
  config["network"].erase("heads");
  directory_.write("config.json", config.dump());
  expect_refused("heads");
  config = nlohmann::json::parse(config_);
  config["format"] = 2;
  directory_.write("config.json", config.dump());
  expect_refused("format");
}

TEST_F(ModelConfig, MembersOfLaterVersionsMayBeMissing) {
  for (const char* architecture : {"recurrent", "transformer"}) {
    NetworkSettings settings = saved_settings();
    settings.architecture = architecture;
    settings.sizes.scale_embeddings = false;
    Parameters parameters;
    const auto network = make_network(settings, parameters);
    Random random(1);
    parameters.initialise(random);
    write_model(path(), settings, parameters, {{"text", {{"normalization", "nfc"}}}});
    EXPECT_FALSE(read_model(path(), Weights::in_place).settings.sizes.scale_embeddings);
    nlohmann::json config = nlohmann::json::parse(read_file(config_path()));
    config["network"].erase("scale_embeddings");
    directory_.write("config.json", config.dump());
    EXPECT_TRUE(read_model(path(), Weights::in_place).settings.sizes.scale_embeddings);
  }
}

TEST_F(ModelConfig, OlderNamesOfSettingsAreRead) {
  nlohmann::json config = nlohmann::json::parse(config_);
  config["network"].erase("decoder_mixers");
  config["network"]["decoder_autoregression"] = "average";
  const NetworkSettings settings = network_settings(config, "here");
  EXPECT_EQ(settings.own<TransformerSettings>().decoder_mixers, std::vector<std::string>{"average"});
  config["network"]["decoder_autoregression"] = "lstm";
  EXPECT_THROW(network_settings(config, "here"), InputError);
  config["network"]["decoder_autoregression"] = 3;
  EXPECT_THROW(network_settings(config, "here"), InputError);
}

}  // namespace
}  // namespace gloss
