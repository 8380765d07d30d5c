// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/minimum_risk.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

namespace {

/// The different texts among translations.
struct DifferentTexts {
  std::vector<std::string> texts;
  std::vector<double> weights;     ///< of each text, the share of its translations in all probabilities
  std::vector<std::size_t> place;  ///< of each translation, the text
};

DifferentTexts different_texts(std::span<const std::string> translations,
                               std::span<const double> probabilities) {
  expects(translations.size() == probabilities.size(), "found ", probabilities.size(), " probabilities of ",
          translations.size(), " translations");
  DifferentTexts different;
  std::unordered_map<std::string_view, std::size_t> place_of;
  double all = 0;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const auto [found, fresh] = place_of.try_emplace(translations[i], different.texts.size());
    if (fresh) {
      different.texts.push_back(translations[i]);
      different.weights.push_back(0);
    }
    different.place.push_back(found->second);
    different.weights[found->second] += probabilities[i];
    all += probabilities[i];
  }
  for (double& weight : different.weights) weight /= all;
  return different;
}

/// The score of each translation from that of its text; higher is better.
std::vector<double> of_translations(const DifferentTexts& different, const std::vector<double>& scores,
                                    const Metric& metric) {
  std::vector<double> of_each;
  for (const std::size_t text : different.place) {
    of_each.push_back(metric.lower_is_better() ? -scores[text] : scores[text]);
  }
  return of_each;
}

}  // namespace

std::vector<double> expected_scores(std::span<const std::string> translations,
                                    std::span<const double> probabilities, const Metric& metric,
                                    Comparer& comparer) {
  const DifferentTexts different = different_texts(translations, probabilities);
  std::vector<double> means(different.texts.size(), 0.0), figures(metric.figures());
  for (std::size_t reference = 0; reference < means.size(); ++reference) {
    comparer.set_references({&different.texts[reference], 1});
    for (std::size_t text = 0; text < means.size(); ++text) {
      comparer.compare(different.texts[text], figures);
      means[text] += different.weights[reference] * metric.score(figures);
    }
  }
  return of_translations(different, means, metric);
}

std::vector<double> scores_with_mean(std::span<const std::string> translations,
                                     std::span<const double> probabilities, const Metric& metric,
                                     MeanComparer& comparer) {
  const DifferentTexts different = different_texts(translations, probabilities);
  comparer.set_references(different.texts, different.weights);
  std::vector<double> scores, figures(metric.figures());
  for (const std::string& text : different.texts) {
    comparer.compare(text, figures);
    scores.push_back(metric.score(figures));
  }
  return of_translations(different, scores, metric);
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
