// SPDX-License-Identifier: Apache-2.0
// The example of a metric.
#include "tests/extending/exact_match.h"

#include <gtest/gtest.h>

#include "pipeline/metrics/evaluation.h"

namespace gloss {
namespace {

TEST(Extending, AMetricScoresSystemsWithStatistics) {
  TestSet test;
  test.names = {"baseline", "system"};
  test.references = {{"a cat", "one cat"}, {"a dog"}};
  test.systems = {{"one cat", "a fox"}, {"one cat", "a dog"}};
  std::vector<std::unique_ptr<Metric>> metrics;
  metrics.push_back(std::make_unique<ExactMatch>());
  EvaluationSettings settings;
  settings.statistics = Statistics::paired_randomization;
  settings.samples = 100;
  const std::vector<SystemResult> results = evaluate(test, metrics, settings).results[0];
  EXPECT_EQ(results[0].score, 50);
  EXPECT_EQ(results[1].score, 100);
  ASSERT_TRUE(results[1].p_value);
  EXPECT_DOUBLE_EQ(*results[1].p_value, 1.0 / 101);  // no exchange of lines makes the difference larger
}

}  // namespace
}  // namespace gloss
