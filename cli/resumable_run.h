// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "cli/options.h"
#include "cli/stop_signals.h"
#include "pipeline/data/answer_run.h"
#include "pipeline/data/shard_record.h"
#include "pipeline/data/text_shard.h"
#include "pipeline/inference/text_model.h"

namespace gloss {

/// The option `--resume`.
Field resume_field(bool& resume);

/// The output of a run, as the options say.
struct RunTarget {
  std::string output;  ///< of all shards; each has a file of its own (shard_path)
  bool resume = false;
  const TextShard* shard = nullptr;  ///< null: the input is not divided
  std::string other_input{};         ///< checksum of what is read besides the stream; empty: nothing
};

/// The output of a command that answers lines. A named one outlives signals and kills, and `--resume`
/// continues it (docs/long_runs.md).
class ResumableRun {
 public:
  /// What the options and the models decide must be complete. Throws as AnswerRun, and FinishedRun if a shard
  /// is to be continued that is complete.
  ResumableRun(const Options&, const RunTarget&, const TextModels&);
  ResumableRun(const Options&, const RunTarget&, const TextModel&);
  /// For a command without models.
  ResumableRun(const Options&, const RunTarget&);
  /// An output that can be neither continued nor divided because of `reason`. Throws UsageError, which names
  /// it, for `resume` or a shard.
  ResumableRun(const RunTarget&, const std::string& reason);

  AnswerRun& answers() { return run_; }
  Output& output() { return run_.output(); }
  /// Completes the output. That of a shard gets a record.
  void close();
  /// For the closing note: " (7 of them by an earlier run)"; "" without one.
  std::string earlier() const;

 private:
  ResumableRun(const Options&, const RunTarget&, const std::vector<std::string>& model_sums);
  RunSettings settings(const Options&, const RunTarget&, const std::vector<std::string>& model_sums);

  StopSignals signals_;
  std::string recorded_;  // the path of the shard that gets a record; empty: none
  ShardRecord record_;
  AnswerRun run_;
};

}  // namespace gloss
