// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/resumable_run.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/file_to_write.h"
#include "base/paths.h"
#include "base/program_identity.h"
#include "base/text.h"
#include "cli/options/version_text.h"
#include "model/kernels/instruction_set.h"

namespace gloss {
namespace {

std::vector<std::string> sums_of(const TextModels& models) {
  std::vector<std::string> sums;
  for (const TextModel& model : models.members) sums.push_back(model.model.sum);
  return sums;
}

/// Everything that decides the output but the input.
nlohmann::json identity_of(const Options& options, const std::vector<std::string>& model_sums) {
  return {{"command", options.name()},
          {"options", options.deciding_values()},
          {"models", model_sums},
          {"program", computing_version_text()},
          {"build of the program", program_identity()}};
}

bool is_divided(const RunTarget& target) { return target.shard != nullptr && !target.shard->shard().whole(); }

/// What to say at once when a signal asks the run to stop; "" for ranks that leave it to the first.
std::string stop_notice_text(const Options& options, const RunTarget& target) {
  const bool silent = target.job != nullptr && target.job->divided() && !target.job->first();
  return silent
             ? ""
             : concat(
                   "gloss ", options.name(),
                   ": stopping after the lines in progress, which may take half a minute; press Ctrl-C again "
                   "after a second to stop at once\n");
}

/// Returns the target. Throws UsageError, with the reason, if its output is to be continued or divided.
const RunTarget& expect_whole_run(const RunTarget& target, const std::string& reason) {
  if (target.resume) throw UsageError("--resume: " + reason);
  if (target.job != nullptr && target.job->divided()) {
    throw UsageError(concat("mpirun: ", reason, ", or start the command without mpirun"));
  }
  if (is_divided(target)) throw UsageError("--shard: " + reason);
  return target;
}

/// The file that this process writes, an output or a report.
std::string file_of(const std::string& path, const RunTarget& target) {
  const bool whole = path.empty() || written_directly(path) || !is_divided(target);
  return whole ? path : shard_path(path, target.shard->shard());
}

/// Throws UsageError if the report would be written to the output or a file beside it, or by several ranks.
void expect_other_report(const RunTarget& target) {
  if (target.report.empty()) return;
  if (target.job != nullptr && target.job->divided() && written_directly(target.report)) {
    throw UsageError(
        concat("--report: ", target.report,
               " would be written by all ranks; give a file, or start the command without mpirun"));
  }
  const std::string output = file_of(target.output, target), report = file_of(target.report, target);
  const std::string partial = ResumableFile::partial_path(output);
  const auto is_report = [&](const std::string& path) { return plain_path(path) == plain_path(report); };
  if (!is_report(output) && !is_report(partial) && !is_report(partial + ".run")) return;
  throw UsageError(concat("--report: ", report == "-" ? "standard output" : report, " is ",
                          is_report(output) ? "also given for --output" : "a file of an unfinished --output",
                          "; choose another file"));
}

/// The number of lines of a shard that is complete; negative: it is not. Throws UsageError if it was made of
/// another input or with other settings.
std::int64_t finished_items(const std::string& path, const ShardRecord& wanted) {
  const std::optional<ShardRecord> found = read_shard_record(path);
  if (!found || !is_intact(path, *found)) return -1;
  const nlohmann::json before{{"run", found->identity}, {"input", found->range}};
  const nlohmann::json now{{"run", wanted.identity}, {"input", wanted.range}};
  if (before != now) {
    throw UsageError(concat(path, " is complete, but of a run that gives another output: ",
                            differences(before, now), "; remove it, or make it again without --resume"));
  }
  return found->items;
}

FinishedRun nothing_left(const std::string& path, std::int64_t items) {
  return FinishedRun(concat(path, " is complete: ", counted(items, "line"), "; there is nothing left to do"));
}

}  // namespace

Field resume_field(bool& resume) {
  return {"resume",     &resume, "continue the unfinished output of an earlier run; without one, start",
          {},           0,       "",
          kFreeOnResume};
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target,
                           const std::vector<std::string>& model_sums)
    : signals_("", stop_notice_text(options, target)),
      job_(target.job != nullptr && target.job->divided() ? target.job : nullptr),
      whole_(target.output),
      whole_report_(target.report),
      run_(settings(options, target, model_sums)),
      earlier_(run_.done()) {
  if (run_.ended_unsaid()) say_ended(target);
  if (job_ != nullptr) job_->expect_shared_disk(whole_);
}

RunSettings ResumableRun::settings(const Options& options, const RunTarget& target,
                                   const std::vector<std::string>& model_sums) {
  expect_other_report(target);
  RunSettings made{.output = file_of(target.output, target),
                   .report = file_of(target.report, target),
                   .resume = target.resume};
  if (target.output == "-") return made;  // cannot be continued: no files are read for their checksums
  nlohmann::json identity = identity_of(options, model_sums);
  const std::string other_input = target.other_input ? target.other_input() : "";
  if (!other_input.empty()) identity["other_input"] = other_input;
  made.identity = identity;
  made.begin = [this] { signals_.remember(); };
  made.stop_requested = [this] { return signals_.received(); };
  if (!made.report.empty()) made.identity["report"] = made.report;
  if (made.output == target.output) return made;
  const ShardRecord record{identity, target.shard->range(), target.shard->shard()};
  records_.emplace_back(made.output, record);
  if (made.report != target.report) {
    records_.emplace_back(made.report, record);
    records_.back().second.identity["report"] = true;  // is not joined with outputs
  }
  made.identity["input"] = record.range;
  if (job_ != nullptr) {
    job_->agree(target.output, record, target.resume);
    target.shard->count_together(job_->ranks());
  }
  if (!target.resume) return made;
  for (const auto& [path, wanted] : records_) {
    made.finished_items = finished_items(path, wanted);
    if (made.finished_items < 0) return made;
  }
  if (job_ == nullptr) throw nothing_left(made.output, made.finished_items);
  return made;
}

void ResumableRun::say_ended(const RunTarget& target) {
  write_records();
  if (job_ == nullptr) throw nothing_left(file_of(target.output, target), run_.items());
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModels& models)
    : ResumableRun(options, target, sums_of(models)) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModel& model)
    : ResumableRun(options, target, std::vector<std::string>{model.model.sum}) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target)
    : ResumableRun(options, target, std::vector<std::string>{}) {}

ResumableRun::ResumableRun(const RunTarget& target, const std::string& reason)
    : signals_(""), run_({.output = expect_whole_run(target, reason).output}) {}

void ResumableRun::complete_part() {
  if (run_.finished()) return;
  for (const auto& [path, record] : records_) remove_shard_record(path);  // of an earlier output
  run_.close();
  write_records();
}

void ResumableRun::write_records() {
  for (auto& [path, record] : records_) {
    record.items = run_.items();
    write_shard_record(path, record);
  }
}

void ResumableRun::close(StreamReport& report, const std::vector<std::int64_t*>& counts) {
  if (job_ == nullptr) return complete_part();
  Ranks& ranks = job_->ranks();
  together(ranks, [this] { complete_part(); });
  signals_.end_at_once();  // nothing is lost from now on: the parts are complete
  if (has_report()) job_->join_parts(whole_report_);
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
