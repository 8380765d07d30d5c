// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/minimum_risk.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

std::vector<double> expected_scores(std::span<const std::string> translations,
                                    std::span<const double> probabilities, const Metric& metric,
                                    Comparer& comparer) {
  expects(translations.size() == probabilities.size(), "found ", probabilities.size(), " probabilities of ",
          translations.size(), " translations");
  std::unordered_map<std::string_view, std::size_t> place_of;
  std::vector<std::size_t> first, place;  // of each text the first translation; of each translation its text
  std::vector<double> weights;
  double all = 0;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto [found, fresh] = place_of.try_emplace(translations[i], first.size());
    if (fresh) {
      first.push_back(i);
      weights.push_back(0);
    }
    place.push_back(found->second);
    weights[found->second] += probabilities[i];
    all += probabilities[i];
  }
  std::vector<double> sums(first.size(), 0.0), figures(metric.figures());
  for (std::size_t reference = 0; reference < first.size(); ++reference) {
    comparer.set_references(translations.subspan(first[reference], 1));
    for (std::size_t text = 0; text < first.size(); ++text) {
      comparer.compare(translations[first[text]], figures);
      sums[text] += weights[reference] * metric.score(figures);
    }
  }
  const double factor = (metric.lower_is_better() ? -1.0 : 1.0) / all;
  std::vector<double> expected;
  for (const std::size_t text : place) expected.push_back(factor * sums[text]);
  return expected;
}

std::vector<double> softmax(std::span<const double> values) {
  const double largest = values.empty() ? 0 : *std::ranges::max_element(values);
  std::vector<double> probabilities;
  double sum = 0;
  for (const double value : values) {
    probabilities.push_back(std::exp(value - largest));
    sum += probabilities.back();
  }
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

std::vector<double> reference_scores(std::span<const std::string> translations,
                                     std::span<const std::string> references, const Metric& metric,
                                     Comparer& comparer) {
  comparer.set_references(references);
  std::vector<double> scores, figures(metric.figures());
  for (const std::string& translation : translations) {
    comparer.compare(translation, figures);
    const double score = metric.score(figures);
    scores.push_back(metric.lower_is_better() ? -score : score);
  }
  return scores;
}

}  // namespace gloss
