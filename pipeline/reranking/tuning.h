// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/reranking/features.h"

namespace gloss {

/// A translation as tuning sees it: its features, in the order of the weights, and its figures by the metric.
struct TunedCandidate {
  std::vector<double> features, figures;
};

/// Translations of a test set with references, by source line.
struct TuningSet {
  std::vector<std::string> names;  ///< of the features
  std::vector<std::vector<TunedCandidate>> lines;
};

struct TuningSettings {
  int restarts = 20;  ///< searches from random weights, besides that from the first ones
  std::int64_t seed = 1;
};
Fields fields_of(TuningSettings&);

/// Weights, and the score of the translations that they choose.
struct TunedWeights {
  FeatureWeights weights;  ///< their absolute values sum to 1
  double score = 0;
};

/// The score of the test set, if of each line the translation with the highest weighted sum of features is
/// chosen, the first of equal ones.
double score_of_choice(const TuningSet&, const std::vector<double>& weights, const Metric&);

/// Searches for weights whose choice gets the best score: minimum error rate training (Och 2003). From each
/// starting point, it searches along each feature and along random directions; the search along a line is
/// exact, because the choice changes only where two translations of a line have the same sum. `searched`
/// receives the number of finished searches. The same settings give the same weights.
TunedWeights tune(
    const TuningSet&, const Metric&, const TuningSettings&,
    const std::function<void(int searches)>& searched = [](int) {});

}  // namespace gloss
