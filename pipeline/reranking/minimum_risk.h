// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// The expected score of each of several translations of a line, if they are right with these probabilities
/// (minimum Bayes risk, Kumar and Byrne 2004; with samples, Eikema and Aziz 2020): the weighted mean of its
/// scores with all of them, itself included, as the reference. Equal translations count as often as they
/// occur. Higher is better: scores of which lower ones are better are negated. The texts must be valid UTF-8.
/// `probabilities` are positive, one for each translation; `comparer` is one of `metric`.
std::vector<double> expected_scores(std::span<const std::string> translations,
                                    std::span<const double> probabilities, const Metric& metric,
                                    Comparer& comparer);
/// The same with one comparison for each translation: with the mean of all of them.
std::vector<double> scores_with_mean(std::span<const std::string> translations,
                                     std::span<const double> probabilities, const Metric& metric,
                                     MeanComparer& comparer);

/// Probabilities that are proportional to the exponentials of these values.
std::vector<double> softmax(std::span<const double> values);

/// The score of each of several translations of a line with these references. Higher is better, as above.
std::vector<double> reference_scores(std::span<const std::string> translations,
                                     std::span<const std::string> references, const Metric& metric,
                                     Comparer& comparer);

}  // namespace gloss
