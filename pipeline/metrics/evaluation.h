// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/metrics/bleu.h"
#include "pipeline/metrics/chrf.h"
#include "pipeline/metrics/figures.h"
#include "pipeline/metrics/significance.h"
#include "pipeline/metrics/ter.h"
#include "pipeline/metrics/test_set.h"

namespace gloss {

/// The settings of all metrics.
struct MetricSettings {
  BleuSettings bleu;
  ChrfSettings chrf;
  TerSettings ter;
};

/// The names of the metrics of translations; the first is the default.
const std::vector<std::string>& metric_names();
/// Those of them that are error rates of recognised text.
const std::vector<std::string>& recognition_metric_names();
/// The metric of this name; throws UsageError, which names the option, for names that are not in
/// metric_names.
std::unique_ptr<Metric> make_metric(const std::string& name, const MetricSettings&,
                                    const std::string& option = "--metrics");

/// Statistics about the reliability of scores.
enum class Statistics { none, confidence, paired_bootstrap, paired_randomization };

/// Settings of an evaluation.
struct EvaluationSettings {
  Statistics statistics = Statistics::none;
  int samples = 1000;  ///< number of random samples or trials
  Seed seed;
  int threads = 1;
};

/// One system's result by one metric.
struct SystemResult {
  double score = 0;
  std::string details;
  std::optional<Interval> interval;
  std::optional<double> p_value;  ///< of the difference to the first system
};

/// Results and figures by metric, then by system.
struct Evaluation {
  std::vector<std::vector<SystemResult>> results;
  std::vector<std::vector<Figures>> figures;
};

/// Scores all systems of a test set with all metrics. Random samples are drawn from the documents if the test
/// set has them, otherwise from the segments.
Evaluation evaluate(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics,
                    const EvaluationSettings&);

/// The contents of a signature besides the metric's settings.
struct SignatureFacts {
  std::string references;  ///< number per segment
  const EvaluationSettings* statistics = nullptr;
  bool documents = false;  ///< samples are drawn from documents
  std::string version;     ///< version of gloss, not of sacreBLEU
};

/// The signature: everything needed to reproduce a score, as fields "name:value" separated by '|' in
/// sacreBLEU's format.
std::string signature(const Metric&, const SignatureFacts&, bool short_names);

}  // namespace gloss
