// SPDX-License-Identifier: Apache-2.0

#include "cli/resumable_run.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/version_text.h"
#include "model/kernels/instruction_set.h"

namespace gloss {
namespace {

std::vector<std::string> sums_of(const TextModels& models) {
  std::vector<std::string> sums;
  for (const TextModel& model : models.members) sums.push_back(model.sum);
  return sums;
}

/// Everything that decides the output but the input.
nlohmann::json identity_of(const Options& options, const std::vector<std::string>& model_sums) {
  return {{"command", options.name()},
          {"options", options.deciding_values()},
          {"models", model_sums},
          {"program", version_text()}};
}

bool is_divided(const RunTarget& target) { return target.shard != nullptr && !target.shard->shard().whole(); }

/// Returns the target. Throws UsageError, with the reason, if its output is to be continued or divided.
const RunTarget& expect_whole_run(const RunTarget& target, const std::string& reason) {
  if (target.resume) throw UsageError("--resume: " + reason);
  if (target.job != nullptr && target.job->divided()) {
    throw UsageError(concat("mpirun: ", reason, ", or start the command without mpirun"));
  }
  if (is_divided(target)) throw UsageError("--shard: " + reason);
  return target;
}

/// The file that this process writes. Streams have one name for all shards.
std::string output_of(const RunTarget& target) {
  const bool stream = target.output == "-" || target.output.starts_with("/dev/");
  return stream || !is_divided(target) ? target.output : shard_path(target.output, target.shard->shard());
}

/// The number of lines of a shard that is complete, and made of the same input with the same settings;
/// negative: it is not.
std::int64_t finished_items(const std::string& path, const ShardRecord& wanted) {
  const std::optional<ShardRecord> found = read_shard_record(path);
  if (!found || found->identity != wanted.identity || found->range != wanted.range ||
      !is_intact(path, *found))
    return -1;
  return found->items;
}

}  // namespace

Field resume_field(bool& resume) {
  return {"resume",     &resume, "continue the unfinished output of an earlier run; without one, start",
          {},           0,       "",
          kFreeOnResume};
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target,
                           const std::vector<std::string>& model_sums)
    : signals_(""),
      job_(target.job != nullptr && target.job->divided() ? target.job : nullptr),
      whole_(target.output),
      run_(settings(options, target, model_sums)),
      earlier_(run_.done()) {
  if (run_.continues() && run_.done() == 0) {
    signals_.change_new_paths([&] {
      const std::string partial = ResumableFile::partial_path(output_of(target));
      return std::vector<std::string>{partial + ".run", partial};
    });
  }
  if (job_ != nullptr) job_->expect_shared_disk(whole_);
}

RunSettings ResumableRun::settings(const Options& options, const RunTarget& target,
                                   const std::vector<std::string>& model_sums) {
  RunSettings made{.output = output_of(target), .resume = target.resume};
  if (target.output == "-") return made;  // cannot be continued: no files are read for their checksums
  made.identity = identity_of(options, model_sums);
  if (!target.other_input.empty()) made.identity["other_input"] = target.other_input;
  made.begin = [this] { signals_.remember(); };
  made.stop_requested = [this] { return signals_.received(); };
  if (made.output == target.output) return made;
  recorded_ = made.output;
  record_ = {made.identity, target.shard->range(), target.shard->shard()};
  made.identity["input"] = record_.range;
  if (job_ != nullptr) {
    job_->agree(target.output, record_, target.resume);
    target.shard->count_together(job_->ranks());
  }
  if (!target.resume) return made;
  made.finished_items = finished_items(recorded_, record_);
  if (made.finished_items >= 0 && job_ == nullptr) {
    throw FinishedRun(concat(recorded_, " is complete: ", counted(made.finished_items, "line"),
                             "; there is nothing left to do"));
  }
  return made;
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModels& models)
    : ResumableRun(options, target, sums_of(models)) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModel& model)
    : ResumableRun(options, target, std::vector<std::string>{model.sum}) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target)
    : ResumableRun(options, target, std::vector<std::string>{}) {}

ResumableRun::ResumableRun(const RunTarget& target, const std::string& reason)
    : signals_(""), run_({.output = expect_whole_run(target, reason).output}) {}

void ResumableRun::complete_part() {
  if (run_.finished()) return;
  if (!recorded_.empty()) remove_shard_record(recorded_);  // of an earlier output
  record_.items = run_.items();
  run_.close();
  if (!recorded_.empty()) write_shard_record(recorded_, record_);
}

void ResumableRun::close(StreamReport& report, const std::vector<std::int64_t*>& counts) {
  if (job_ == nullptr) return complete_part();
  Ranks& ranks = job_->ranks();
  together(ranks, [this] { complete_part(); });
  signals_.end_at_once();  // nothing is lost from now on: the parts are complete
  job_->join_parts(whole_);
  report.add_other_ranks(ranks);
  std::vector<std::int64_t*> all = counts;
  all.push_back(&earlier_);
  sum_over(ranks, all);
}

std::string ResumableRun::circumstances() const {
  const std::string ranks = job_ == nullptr ? "" : concat(" on ", job_->ranks().size(), " ranks");
  return earlier_ == 0 ? ranks : concat(ranks, " (", earlier_, " of them by an earlier run)");
}

}  // namespace gloss
