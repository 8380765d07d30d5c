// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/features.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(Features, AreNamesWithOneOrSeveralNumbers) {
  EXPECT_EQ(parse_features("LogProbability= -4.5 Tokens= 13"),
            (Features{{"LogProbability", -4.5}, {"Tokens", 13}}));
  EXPECT_EQ(parse_features(" lm=  1  2 3 "), (Features{{"lm", 1}, {"lm.2", 2}, {"lm.3", 3}}));
  EXPECT_TRUE(parse_features("").empty());
  for (const char* const wrong :
       {"4", "a 4", "a= b", "a=", "a= b= 1", "= 4", "a= nan", "a= inf", "a= 1 a= 2"}) {
    EXPECT_THROW(parse_features(wrong), InputError) << wrong;
  }
}

TEST(Features, TheirWeightsAreReadAsWritten) {
  const TemporaryDirectory folder;
  const FeatureWeights weights{{"a", 0.25}, {"b.2", -1.0 / 3}, {"c", 1e-12}};
  const FeatureWeights read = read_weights(folder.write("weights", weights_text(weights)));
  ASSERT_EQ(read.size(), 3u);
  for (const auto& [name, weight] : weights) EXPECT_NEAR(read.at(name), weight, 1e-9 * std::abs(weight));
  EXPECT_DOUBLE_EQ(weighted_sum({{"x", 9}, {"b.2", 3}, {"a", 2}, {"c", 0}}, weights), 0.5 - 1);
  EXPECT_THROW(weighted_sum({{"a", 2}, {"c", 0}}, weights), InputError);

  const auto refused = [&](const std::string& lines, const std::string& expected) {
    const std::string file = folder.write("wrong", lines);
    try {
      read_weights(file);
      ADD_FAILURE() << lines;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(file + expected), std::string::npos) << error.what();
    }
  };
  refused("a= 1\n\nb 2\n", ":3: found 'b'");
  refused("a= 1\na= 2\n", ":2: the feature a");
  refused("a= 1 a= 2\n", ":1: the feature a occurs twice");
  refused("\n", " has no weights");
}

}  // namespace
}  // namespace gloss
