// SPDX-License-Identifier: Apache-2.0
// Quantisation-aware training through the real binary.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct TrainRounded : TrainCommand, testing::WithParamInterface<std::string> {
  std::vector<std::string> rounded(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--quantization-aware", GetParam()});
    return with_validation(more);
  }
  /// The cross-entropy of the last validation.
  double validated(const std::string& name) {
    std::istringstream log(folder.read(name + "/train.log.jsonl"));
    double last = NAN;
    for (std::string line; std::getline(log, line);) {
      const nlohmann::json entry = nlohmann::json::parse(line);
      if (entry["event"] == "validation") last = entry["cross_entropy"];
    }
    return last;
  }
  /// The same of the validation text, by `gloss score`.
  double scored(const std::string& model) {
    const ProgramResult result = gloss(
        {"score", "-m", folder / model, "--source", folder / "valid.en", "--target", folder / "valid.de"});
    const std::string name = "cross-entropy ";
    const std::size_t at = result.errors.find(name);
    EXPECT_NE(at, std::string::npos) << result.errors;
    return at == std::string::npos ? NAN : std::stod(result.errors.substr(at + name.size()));
  }
};

TEST_P(TrainRounded, ValidatesTheModelThatQuantizeStores) {
  ASSERT_EQ(train("run", rounded()).status, 0);
  ASSERT_EQ(
      gloss({"quantize", "-m", folder / "run/last", "-o", folder / "small", "--type", GetParam()}).status, 0);
  const double figure = validated("run"), stored = scored("small"), learned = scored("run/last");
  EXPECT_NEAR(figure, stored, 0.01 * figure);
  // 8 bits change this small network less than the inputs that are rounded as well, or bf16.
  if (GetParam() == "int4") {
    EXPECT_LT(std::abs(figure - stored), 0.5 * std::abs(figure - learned))
        << "validated " << figure << ", stored " << stored << ", learned " << learned;
  }
  // Training writes the weights that are not rounded.
  EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).output.find(GetParam()), std::string::npos);
  ASSERT_EQ(train("plain", with_validation()).status, 0);
  EXPECT_NE(figure, validated("plain"));
}

TEST_P(TrainRounded, PartsGiveTheSameBytesAsTheWhole) {
  expect_parts_as_whole([&](const auto&... of) { return train(of...); },
                        rounded({"--optimizer", "muon", "--ema-decay", "0.9", "--valid-interval", "4"}),
                        {"8", "12"});
}

TEST_P(TrainRounded, ContinuesOnlyWithTheSameRounding) {
  ASSERT_EQ(train("run", rounded({"--max-updates", "5"})).status, 0);
  expect_failure(train("run", with_validation()), 2,
                 concat("--quantization-aware \"", GetParam(), "\", now it is \"none\""));
}

INSTANTIATE_TEST_SUITE_P(All, TrainRounded, testing::Values("int8", "int4"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace gloss
