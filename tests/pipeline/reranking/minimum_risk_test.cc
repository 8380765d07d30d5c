// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/minimum_risk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/index.h"
#include "pipeline/metrics/evaluation.h"

namespace gloss {
namespace {

/// The definition: the mean of the scores with each translation as the reference.
std::vector<double> by_definition(const std::vector<std::string>& texts, const Metric& metric) {
  std::vector<double> expected;
  for (const std::string& text : texts) {
    double sum = 0;
    for (const std::string& reference : texts) {
      const auto comparer = metric.comparer();
      comparer->set_references(std::vector<std::string>{reference});
      std::vector<double> figures(metric.figures());
      comparer->compare(text, figures);
      sum += metric.score(figures);
    }
    expected.push_back((metric.lower_is_better() ? -sum : sum) / static_cast<double>(texts.size()));
  }
  return expected;
}

TEST(MinimumRisk, IsTheMeanScoreWithAllTranslations) {
  const std::vector<std::string> texts{
      "the cat sat on the mat .", "a cat sat on the mat .", "the dog ran", "the cat sat on the mat .", "",
      "a cat sat on a mat ."};
  for (const std::string name : {"bleu", "chrf", "ter"}) {
    MetricSettings settings;
    settings.bleu.effective_order = true;
    const auto metric = make_metric(name, settings);
    const auto comparer = metric->comparer();
    const std::vector<double> found = expected_scores(texts, *metric, *comparer);
    const std::vector<double> expected = by_definition(texts, *metric);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << name << i;
    EXPECT_EQ(found[0], found[3]) << "equal texts have equal scores";
    EXPECT_EQ(std::ranges::max_element(found) - found.begin(), 0) << name;
  }
}

}  // namespace
}  // namespace gloss
