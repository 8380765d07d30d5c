// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/metrics/metric.h"
#include "pipeline/reranking/candidates.h"
#include "pipeline/reranking/references.h"
#include "pipeline/reranking/tuning.h"

namespace gloss {

/// Reads the translations to tune on, and compares them with their references. Throws InputError, with file
/// and line, if the list is empty, if a translation has no features or others than the first, or if there are
/// not as many references as source lines.
TuningSet read_tuning_set(CandidateReader& list, const ReferenceLines& references, const Metric&);

/// The weighted sum of the features of each candidate. Throws InputError, with the line of the list, for
/// features that cannot be read or are missing.
std::vector<double> weighted_sums(const Candidates&, const FeatureWeights&, const CandidateReader& list);

}  // namespace gloss
