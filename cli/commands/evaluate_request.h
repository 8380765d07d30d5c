// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/threads.h"
#include "cli/commands/evaluate_output.h"
#include "cli/options/metric_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "pipeline/metrics/label_metric.h"
#include "pipeline/metrics/link_metric.h"

namespace gloss {

/// The kind of output to evaluate.
enum class EvaluationTask { translate, classify, answer, align, lm };

/// The command line of `gloss evaluate`.
struct EvaluateRequest {
  EvaluationTask task = EvaluationTask::translate;
  TestSetFiles files;
  std::vector<std::string> metrics;  ///< empty: those of the task
  MetricOptions metric_options;
  LabelAverage average = LabelAverage::macro;
  LinkSettings links;
  bool sentence_level = false, force = false;
  bool confidence = false, paired_bootstrap = false, paired_randomization = false;
  int confidence_samples = 1000, bootstrap_samples = 1000, randomization_trials = 10000;
  std::string seed = "12345", encoding = "utf-8";
  int threads = available_processors();
  bool no_color = false;
  ScoreOutput output;

  bool paired() const { return paired_bootstrap || paired_randomization; }
};

/// The option --task, which selects the kind of output to evaluate.
Field task_field(EvaluationTask&);
/// Adds the options, which set the request's members.
void add_options(Options&, EvaluateRequest&);
/// Checks that what was asked for fits together, and completes it: metrics, format and colours. Takes out
/// repetitions of the first system. Throws UsageError.
void complete(EvaluateRequest&, const Options&, Terminal&);
/// Checks it against the number of systems that were read; notes what has no effect. Throws UsageError.
void check_system_count(const EvaluateRequest&, std::size_t systems, Terminal&);
EvaluationSettings evaluation_settings(const EvaluateRequest&, const Options&);

}  // namespace gloss
