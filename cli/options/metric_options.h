// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <limits>
#include <span>
#include <utility>

#include "cli/options/options.h"
#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// The options of the metrics, with sacreBLEU's names and short spellings.
class MetricOptions {
 public:
  /// Adds the options, which set this object's values.
  void add_to(Options&);
  /// The settings after Options::parse, for the metrics with the names `used`; notes what has no effect.
  /// Throws UsageError.
  MetricSettings settings(const Options&, std::span<const std::string> used, Listener&) const;
  /// The fields of the options.
  Fields fields() const;

 private:
  void note_unused(const Options&, std::span<const std::string> used, Listener&) const;

  MetricSettings settings_;
  double smooth_value_ = std::numeric_limits<double>::quiet_NaN();  // not given
  std::string language_pair_;
  std::vector<std::pair<std::string, Fields>> by_metric_;  // the name of each metric, and its options
};

/// The seed of random samples: `seed`, which an option sets, or else SACREBLEU_SEED, or else 12345.
Seed seed_from(const Options&, const std::string& seed);

/// The names of metrics, each once: in alphabetical order if theirs need not be kept.
std::vector<std::string> distinct_names(std::vector<std::string> names, bool keep_order);
/// The metrics of these names. Throws UsageError.
std::vector<std::unique_ptr<Metric>> make_metrics(const std::vector<std::string>& names,
                                                  const MetricSettings&, bool keep_order);

}  // namespace gloss
