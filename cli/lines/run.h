// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ranks.h"
#include "cli/lines/run_output.h"
#include "cli/options/options.h"
#include "cli/process/signals.h"
#include "pipeline/reading/shard.h"
#include "pipeline/runs/answer_run.h"
#include "pipeline/runs/shard_record.h"
#include "pipeline/runs/stream_report.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// The run of a command that answers lines: by itself, for a shard of the input, or as one of the ranks that
/// mpirun started to write one output together (`mpirun gloss translate -i FILE -o FILE`). A named output
/// outlives signals and kills, and `--resume` continues it (docs/long_runs.md).
class Run {
 public:
  /// To be called when the options are known. Joins the job of mpirun if there is one, `output` is a named
  /// file, and `shard`, the value of --shard, is empty. Returns the part of the input for this process.
  /// Throws UsageError, and Error if the ranks cannot communicate. May be called again.
  Shard join(const std::string& output, const std::string& shard);
  /// True if the input is divided among several ranks.
  bool divided() const { return ranks_ != nullptr; }
  /// True for the process that prints.
  bool first() const { return ranks_ == nullptr || ranks_->first(); }

  /// Opens the output, once, when all that the options and the models decide is complete. Throws as
  /// AnswerRun, UsageError, and FinishedRun if a shard is to be continued that is complete.
  void open(const Options&, const RunOutput&, std::span<const TextModel> models = {});

  // Of an open output.
  AnswerRun& answers();
  Output& output() { return answers().output(); }
  /// A further output, by its place among them. Null: there is none, or an earlier run has completed it.
  Output* further(std::size_t place = 0) { return answers().further(place); }
  /// True if further outputs were asked for.
  bool has_further() const { return !whole_further_.empty(); }
  /// Completes all outputs. Those of a shard get records. For ranks, waits for all; then the
  /// stream's report and the `counts` have the sums of all.
  void close(StreamReport& report, const std::vector<std::int64_t*>& counts = {});
  /// The number of items whose answers an earlier run wrote.
  std::int64_t earlier() const { return earlier_; }
  /// The sum over all ranks.
  double sum(double value);
  /// For the closing note: " on 4 ranks (7 of them by an earlier run)"; "" for one process without an earlier
  /// run.
  std::string circumstances() const;

  /// Runs `work` and returns its exit status. Errors are reported as with_ranks does; of a stop, only rank 0
  /// speaks.
  int execute(const std::function<int(Run&)>& work);

 private:
  void identify(RunSettings&, const RunOutput&, nlohmann::json identity);
  void complete_part();
  void write_records();
  bool may_repeat_an_error() const;

  std::unique_ptr<Ranks> ranks_;  // null: this process works by itself
  bool decided_ = false;          // whether there are ranks
  std::optional<StopSignals> signals_;
  // The shards that get records: all outputs that have shards. Empty: none.
  std::vector<std::pair<std::string, ShardRecord>> records_;
  std::string whole_;                         // the path of the output of all ranks
  std::vector<FurtherOutput> whole_further_;  // the further outputs of all ranks
  std::optional<AnswerRun> answers_;          // of the open output
  std::int64_t earlier_ = 0;
};

/// Does what work_on does, for a command that answers lines: the work is a run.
template <class Settings>
Work run_of(Options& options, void (*declare)(Options&, Settings&),
            int (*answer)(const Options&, Settings&, Run&)) {
  const auto settings = std::make_shared<Settings>();
  declare(options, *settings);
  return [&options, settings, answer] {
    return Run().execute([&](Run& run) { return answer(options, *settings, run); });
  };
}

}  // namespace gloss
