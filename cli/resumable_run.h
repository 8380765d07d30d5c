// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "cli/options.h"
#include "cli/stop_signals.h"
#include "pipeline/data/answer_run.h"
#include "pipeline/inference/text_model.h"

namespace gloss {

/// The option `--resume`.
Field resume_field(bool& resume);

/// The output of a command that answers lines. A named one outlives signals and kills, and `--resume`
/// continues it (docs/long_runs.md).
class ResumableRun {
 public:
  /// What the options and the models decide must be complete. Throws as AnswerRun.
  ResumableRun(const Options&, const std::string& output, bool resume, const TextModels&);
  ResumableRun(const Options&, const std::string& output, bool resume, const TextModel&);
  /// An output that cannot be continued because of `reason`. Throws UsageError, which names it, if `resume`
  /// is set.
  ResumableRun(const std::string& output, bool resume, const std::string& reason);

  AnswerRun& answers() { return run_; }
  Output& output() { return run_.output(); }
  void close() { run_.close(); }
  /// For the closing note: " (7 of them by an earlier run)"; "" without one.
  std::string earlier() const;

 private:
  ResumableRun(const Options&, const std::string& output, bool resume,
               const std::vector<std::string>& model_sums);
  RunSettings settings(const Options&, const std::string& output, bool resume,
                       const std::vector<std::string>& model_sums);

  StopSignals signals_;
  AnswerRun run_;
};

}  // namespace gloss
