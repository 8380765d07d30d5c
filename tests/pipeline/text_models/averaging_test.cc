// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/averaging.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

class Averaging : public testing::Test {
 protected:
  const TemporaryDirectory folder;
  const Subwords subwords = small_vocabulary(60);
  Listener silent;

  NetworkSettings recurrent() const {
    NetworkSettings settings = small_network(subwords, subwords);
    settings.architecture = "recurrent";
    return settings;
  }

  std::string write(const std::string& name, const NetworkSettings& settings) const {
    std::filesystem::create_directories(folder / name);
    write_random_model(folder / name, settings, subwords, subwords, 3);
    return folder / name;
  }
};

TEST_F(Averaging, ModelsMayDifferInTrainingOnlySettings) {
  NetworkSettings other = recurrent();
  other.sizes.dropout = 0.3;
  other.own<RecurrentSettings>().dropout_layers = DropoutLayers::source;
  other.own<RecurrentSettings>().variational_dropout = true;
  average_models({write("one", recurrent()), write("other", other)}, folder / "mean", false, silent);
  EXPECT_EQ(read_model(folder / "mean", Weights::in_place).settings.sizes.dropout, 0.1);
}

TEST_F(Averaging, ModelsMustNotDifferInAnythingElse) {
  NetworkSettings other = recurrent();
  other.sizes.scale_embeddings = false;
  EXPECT_THROW(
      average_models({write("one", recurrent()), write("other", other)}, folder / "mean", false, silent),
      InputError);
}

}  // namespace
}  // namespace gloss
