// SPDX-License-Identifier: Apache-2.0

#include "model/layers/weight_ranges.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace gloss {
namespace {

std::vector<WeightRange> ranges_of(const std::vector<std::string>& names) {
  Parameters parameters;
  for (const std::string& name : names) {
    parameters.declare(name, Shape{20}, [](std::span<float>, Random&) {});
  }
  return weight_ranges(parameters);
}

std::vector<std::string> names_of(const std::vector<WeightRange>& ranges) {
  std::vector<std::string> names;
  for (const WeightRange& range : ranges) names.push_back(range.name);
  return names;
}

const std::vector<std::string> kNames{"embedding.weight", "encoder.1.norm.weight", "encoder.10.norm.weight",
                                      "decoder.norm.bias"};

TEST(WeightRanges, CoverTheFlatArray) {
  const std::vector<WeightRange> ranges = ranges_of(kNames);
  ASSERT_EQ(names_of(ranges), kNames);
  std::size_t end = 0;
  for (const WeightRange& range : ranges) {
    EXPECT_EQ(range.begin, end);
    EXPECT_EQ(range.end, end + 32) << "20 numbers and a gap";
    EXPECT_EQ(range.shape, Shape{20});
    end = range.end;
  }
}

TEST(WeightRanges, AreFrozenByNameOrByParts) {
  const auto rest = [](const std::vector<std::string>& prefixes) {
    return names_of(without_frozen(ranges_of(kNames), prefixes));
  };
  EXPECT_EQ(rest({}), kNames);
  EXPECT_EQ(rest({"encoder"}), (std::vector<std::string>{kNames[0], kNames[3]}));
  EXPECT_EQ(rest({"encoder.1"}), (std::vector<std::string>{kNames[0], kNames[2], kNames[3]}));
  EXPECT_EQ(rest({"decoder.norm.bias", "embedding"}), (std::vector<std::string>{kNames[1], kNames[2]}));
}

TEST(WeightRanges, UseTheFactorOfTheLongestMatch) {
  const auto factors = [](const std::vector<std::string>& texts) {
    return learning_rate_factors(ranges_of(kNames), texts);
  };
  EXPECT_EQ(factors({}), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(factors({"encoder.1=3", "encoder=0.5", "embedding=2"}), (std::vector<double>{2, 3, 0.5, 1}));
  EXPECT_EQ(factors({"encoder=0.5", "encoder.1.norm.weight=4"}), (std::vector<double>{1, 4, 0.5, 1}));
  const auto message = [&](const std::vector<std::string>& texts) -> std::string {
    try {
      factors(texts);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string text :
       {"encoder", "encoder=", "encoder=x", "encoder=0", "encoder=-1", "encoder=nan"}) {
    EXPECT_NE(message({text}).find("found '" + text + "', expected NAME=FACTOR"), std::string::npos)
        << message({text});
  }
  EXPECT_NE(message({"encodr=2"}).find("--learning-rates encodr: the network learns no parameter"),
            std::string::npos);
  EXPECT_NE(message({"encodr=2"}).find("did you mean 'encoder'?"), std::string::npos);
  EXPECT_NE(message({"encoder=2", "encoder=2"}).find("'encoder' is given twice"), std::string::npos);
}

TEST(WeightRanges, RejectsFreezingNothingOrEverything) {
  const auto message = [](const std::vector<std::string>& prefixes) -> std::string {
    try {
      without_frozen(ranges_of(kNames), prefixes);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({"encodr"}),
            "--freeze encodr: the network has no parameter of that name or prefix (did you mean 'encoder'?); "
            "expected names as in model.safetensors or a prefix such as embedding, encoder, encoder.1, "
            "encoder.10, decoder, decoder.norm");
  for (const std::string wrong : {"", "encoder.", "enc", "encoder.1.norm.weight.x"}) {
    EXPECT_NE(message({"embedding", wrong}), "") << wrong;
  }
  EXPECT_NE(message({"embedding", "encoder", "decoder"}).find("freezes all parameters"), std::string::npos);
}

}  // namespace
}  // namespace gloss
