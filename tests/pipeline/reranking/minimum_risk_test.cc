// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/minimum_risk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "pipeline/metrics/evaluation.h"

namespace gloss {
namespace {

/// The definition: the weighted mean of the scores with each translation as the reference.
std::vector<double> by_definition(const std::vector<std::string>& texts,
                                  const std::vector<double>& probabilities, const Metric& metric) {
  const double all = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  std::vector<double> expected;
  for (const std::string& text : texts) {
    double sum = 0;
    for (std::size_t r = 0; r < texts.size(); ++r) {
      const auto comparer = metric.comparer();
      comparer->set_references(std::vector<std::string>{texts[r]});
      std::vector<double> figures(metric.figures());
      comparer->compare(text, figures);
      sum += probabilities[r] * metric.score(figures);
    }
    expected.push_back((metric.lower_is_better() ? -sum : sum) / all);
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
    const std::vector<double> alike(texts.size(), 1.0);
    const std::vector<double> found = expected_scores(texts, alike, *metric, *comparer);
    const std::vector<double> expected = by_definition(texts, alike, *metric);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << name << i;
    EXPECT_EQ(found[0], found[3]) << "equal texts have equal scores";
    EXPECT_EQ(std::ranges::max_element(found) - found.begin(), 0) << name;
    const std::vector<double> unlike{0.02, 0.05, 0.7, 0.01, 0.02, 0.2};
    const std::vector<double> weighted = expected_scores(texts, unlike, *metric, *comparer);
    const std::vector<double> wanted = by_definition(texts, unlike, *metric);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(weighted[i], wanted[i], 1e-9) << name << i;
    EXPECT_EQ(std::ranges::max_element(weighted) - weighted.begin(), 2) << name;
  }
}

std::vector<double> with_mean(const std::string& metric_name, const std::vector<std::string>& texts,
                              const std::vector<double>& probabilities) {
  MetricSettings settings;
  settings.bleu.effective_order = true;
  settings.bleu.tokenize = "none";
  settings.chrf.char_order = 2;
  settings.chrf.word_order = 1;
  const auto metric = make_metric(metric_name, settings);
  const auto comparer = metric->mean_comparer();
  return scores_with_mean(texts, probabilities, *metric, *comparer);
}

TEST(MinimumRisk, TheMeanOfOneTextIsTheText) {
  for (const std::string name : {"bleu", "chrf"}) {
    EXPECT_NEAR(with_mean(name, {"the cat sat on the mat"}, {0.3})[0], 100, 1e-9) << name;
    const std::vector<double> found = with_mean(name, {"the cat sat", "the dog sat"}, {1e9, 1e-9});
    EXPECT_NEAR(found[0], 100, 1e-6) << name;
    EXPECT_LT(found[1], 80) << name;
  }
}

TEST(MinimumRisk, TheCountsOfTheMeanAreMeans) {
  const std::vector<std::string> texts{"a b", "a b", "a b a", "a a a"};
  const std::vector<double> bleu = with_mean("bleu", texts, {1, 1, 1, 1});
  // Means: a 7/4, b 3/4; ab 3/4, ba 1/4, aa 2/4; aba and aaa 1/4; the length 2.5 counts as 3.
  const double brevity = std::exp(1 - 3.0 / 2);
  EXPECT_NEAR(bleu[0], 100 * brevity * std::sqrt(1.75 / 2 * 0.75), 1e-9);
  EXPECT_NEAR(bleu[2], 100 * std::cbrt((1.75 + 0.75) / 3 * (1.0 / 2) * 0.25), 1e-9);
  EXPECT_NEAR(bleu[3], 100 * std::cbrt(1.75 / 3 * (0.5 / 2) * 0.25), 1e-9);
  const std::vector<double> chrf = with_mean("chrf", texts, {1, 1, 1, 1});
  // The F-scores of characters, pairs of characters and words; characters and words have the same counts.
  const double single = 1.75, pair = 0.75;
  const double precision = (2 * single / 2 + pair / 1) / 3, recall = (2 * single / 2.5 + pair / 1.5) / 3;
  EXPECT_NEAR(chrf[0], 100 * 5 * precision * recall / (4 * precision + recall), 1e-9);
}

TEST(MinimumRisk, OnlyCountsHaveMeans) { EXPECT_EQ(make_metric("ter", {})->mean_comparer(), nullptr); }

TEST(MinimumRisk, SoftmaxOfLargeValues) {
  const std::vector<double> found = softmax(std::vector<double>{-1000, -1000 + std::log(3.0), -5000});
  EXPECT_NEAR(found[0], 0.25, 1e-12);
  EXPECT_NEAR(found[1], 0.75, 1e-12);
  EXPECT_EQ(found[2], 0);
  EXPECT_TRUE(softmax({}).empty());
}

}  // namespace
}  // namespace gloss
