#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
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

/// The error that says which metrics there are.
UsageError unknown_metric(const std::string& name, const std::vector<std::string>& known);

/// The metric called "bleu", "chrf" or "ter"; throws UsageError naming those that there are.
std::unique_ptr<Metric> make_metric(const std::string& name, const MetricSettings&);

/// What is said about the reliability of scores.
enum class Statistics { none, confidence, paired_bootstrap, paired_randomization };

/// How an evaluation is done.
struct EvaluationSettings {
  Statistics statistics = Statistics::none;
  int samples = 1000;  ///< random samples or trials
  Seed seed;
  int threads = 1;
};

/// One system's result by one metric.
struct SystemResult {
  double score = 0;
  std::string details;
  std::optional<Interval> interval;
  std::optional<double> p_value;  ///< against the first system
};

/// Results and figures by metric, then by system.
struct Evaluation {
  std::vector<std::vector<SystemResult>> results;
  std::vector<std::vector<Figures>> figures;
};

/// Scores every system of a test set by every metric. Random samples are of documents if the test set has
/// them, otherwise of segments.
Evaluation evaluate(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics,
                    const EvaluationSettings&);

/// What a signature tells beside the metric's own settings.
struct SignatureFacts {
  std::string references;  ///< how many per segment
  const EvaluationSettings* statistics = nullptr;
  bool documents = false;  ///< samples are of documents
  std::string version;     ///< the program's, never sacreBLEU's
};

/// All that is needed to get the same score again: fields "name:value" divided by '|', as sacreBLEU writes
/// them.
std::string signature(const Metric&, const SignatureFacts&, bool short_names);

}  // namespace gloss
