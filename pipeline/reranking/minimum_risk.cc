// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/minimum_risk.h"

#include <string_view>
#include <unordered_map>

#include "base/index.h"

namespace gloss {

std::vector<double> expected_scores(std::span<const std::string> translations, const Metric& metric,
                                    Comparer& comparer) {
  std::unordered_map<std::string_view, std::size_t> place_of;
  std::vector<std::size_t> first, place;  // of each text the first translation; of each translation its text
  std::vector<double> counts;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto [found, fresh] = place_of.try_emplace(translations[i], first.size());
    if (fresh) {
      first.push_back(i);
      counts.push_back(0);
    }
    place.push_back(found->second);
    ++counts[found->second];
  }
  std::vector<double> sums(first.size(), 0.0), figures(metric.figures());
  for (std::size_t reference = 0; reference < first.size(); ++reference) {
    comparer.set_references(translations.subspan(first[reference], 1));
    for (std::size_t text = 0; text < first.size(); ++text) {
      comparer.compare(translations[first[text]], figures);
      sums[text] += counts[reference] * metric.score(figures);
    }
  }
  const double factor = (metric.lower_is_better() ? -1.0 : 1.0) / static_cast<double>(translations.size());
  std::vector<double> expected;
  for (const std::size_t text : place) expected.push_back(factor * sums[text]);
  return expected;
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
