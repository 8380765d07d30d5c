// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "model/model_directory.h"
#include "model/networks/mixers/transformer_settings.h"
#include "network_variants.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

inline NetworkSettings saved_settings() {
  NetworkSettings s;
  s.sizes.encoder_layers = s.sizes.decoder_layers = 1;
  s.sizes.width = 8;
  s.own<TransformerSettings>().feed_forward_width = 12;
  s.sizes.heads = 2;
  s.sizes.max_positions = 16;
  s.source_vocabulary = s.target_vocabulary = 20;
  return s;
}

/// The directory of a small model, whose files a test changes.
class WrittenModel : public testing::Test {
 protected:
  WrittenModel() {
    const NetworkSettings settings = saved_settings();
    Parameters parameters;
    const auto network = make_network(settings, parameters);
    Random random(1);
    parameters.initialise(random);
    write_model(path(), settings, parameters, {{"text", {{"normalization", "nfc"}}}});
    weights_ = read_file(weights_path());
    config_ = read_file(config_path());
  }
  std::string path() const { return directory_.path(); }
  std::string weights_path() const { return path() + "/model.safetensors"; }
  std::string config_path() const { return path() + "/config.json"; }

  /// The error message of reading the directory; empty on success.
  std::string message() const {
    try {
      read_model(path(), Weights::in_place);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  void expect_refused(const std::string& part) const {
    EXPECT_NE(message().find(part), std::string::npos)
        << "message: " << message() << "\nexpected in it: " << part;
  }
  void write_header(std::string header, const std::string& data) const {
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string bytes(8, '\0');
    const std::uint64_t length = header.size();
    std::memcpy(bytes.data(), &length, 8);
    directory_.write("model.safetensors", bytes + header + data);
  }

  TemporaryDirectory directory_;
  std::string weights_, config_;
};

}  // namespace gloss
