// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// The expected score of each of several translations of a line, if each of them is right with the same
/// probability (minimum Bayes risk, Kumar and Byrne 2004; with samples, Eikema and Aziz 2020): the mean of
/// its scores with all of them, itself included, as the reference. Equal translations count as often as they
/// occur. Higher is better: scores of which lower ones are better are negated. The texts must be valid UTF-8.
/// `comparer` is one of `metric`.
std::vector<double> expected_scores(std::span<const std::string> translations, const Metric& metric,
                                    Comparer& comparer);

/// The score of each of several translations of a line with these references. Higher is better, as above.
std::vector<double> reference_scores(std::span<const std::string> translations,
                                     std::span<const std::string> references, const Metric& metric,
                                     Comparer& comparer);

}  // namespace gloss
