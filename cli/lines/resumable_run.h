// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/lines/rank_job.h"
#include "cli/options/options.h"
#include "cli/process/signals.h"
#include "pipeline/reading/text_shard.h"
#include "pipeline/runs/answer_run.h"
#include "pipeline/runs/shard_record.h"
#include "pipeline/runs/stream_report.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// The option `--resume`.
Field resume_field(bool& resume);

/// The output of a run, as the options say.
struct RunTarget {
  std::string output;  ///< of all shards; each has a file of its own (shard_path)
  bool resume = false;
  const TextShard* shard = nullptr;  ///< null: the input is not divided
  RankJob* job = nullptr;            ///< null: it is not divided among ranks
  /// Computes the checksum of what is read besides the stream ("" for nothing); called only if the output has
  /// a name, since others cannot be continued. Empty: nothing.
  std::function<std::string()> other_input{};
  std::string report{};  ///< a second output, about the answers; each shard has its own; empty: none
};

/// The output of a command that answers lines. A named one outlives signals and kills, and `--resume`
/// continues it (docs/long_runs.md). Ranks write one output together: each a part, which rank 0 joins.
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
  /// The output for the report on the answers. Null: there is none, or an earlier run has completed it.
  Output* report() { return run_.report(); }
  /// True if a report was asked for.
  bool has_report() const { return !whole_report_.empty(); }
  /// Completes the output and its report. Those of a shard get records. For ranks, waits for all; then the
  /// stream's report and the `counts` have the sums of all.
  void close(StreamReport& report, const std::vector<std::int64_t*>& counts = {});
  /// The number of items whose answers an earlier run wrote.
  std::int64_t earlier() const { return earlier_; }
  /// For the closing note: " on 4 ranks (7 of them by an earlier run)"; "" for one process without an earlier
  /// run.
  std::string circumstances() const;

 private:
  ResumableRun(const Options&, const RunTarget&, const std::vector<std::string>& model_sums);
  RunSettings settings(const Options&, const RunTarget&, const std::vector<std::string>& model_sums);
  void complete_part();
  void write_records();
  /// An earlier run was killed when all was written but its records. Throws FinishedRun unless ranks work
  /// together.
  void say_ended(const RunTarget&);

  StopSignals signals_;
  // The shards that get records: the output and, if there is one, the report. Empty: no shards.
  std::vector<std::pair<std::string, ShardRecord>> records_;
  RankJob* job_ = nullptr;    // null: this process works by itself
  std::string whole_;         // the path of the output of all ranks
  std::string whole_report_;  // that of the report; empty: none
  AnswerRun run_;
  std::int64_t earlier_ = 0;  // items whose answers an earlier run wrote
};

}  // namespace gloss
