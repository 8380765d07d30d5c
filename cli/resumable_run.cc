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

/// The file that this process writes. Streams have one name for all shards.
std::string output_of(const RunTarget& target) {
  const bool stream = target.output == "-" || target.output.starts_with("/dev/");
  return stream || !is_divided(target) ? target.output : shard_path(target.output, target.shard->shard());
}

/// Throws FinishedRun if the shard is complete, and made of the same input with the same settings.
void expect_unfinished(const std::string& path, const ShardRecord& wanted) {
  const std::optional<ShardRecord> found = read_shard_record(path);
  if (!found || found->identity != wanted.identity || found->range != wanted.range ||
      !is_intact(path, *found))
    return;
  throw FinishedRun(
      concat(path, " is complete: ", counted(found->items, "line"), "; there is nothing left to do"));
}

}  // namespace

Field resume_field(bool& resume) {
  return {"resume",     &resume, "continue the unfinished output of an earlier run; without one, start",
          {},           0,       "",
          kFreeOnResume};
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target,
                           const std::vector<std::string>& model_sums)
    : signals_(""), run_(settings(options, target, model_sums)) {
  if (!run_.continues() || run_.done() > 0) return;
  signals_.change_new_paths([&] {
    const std::string partial = ResumableFile::partial_path(output_of(target));
    return std::vector<std::string>{partial + ".run", partial};
  });
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
  if (target.resume) expect_unfinished(recorded_, record_);
  made.identity["input"] = record_.range;
  return made;
}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModels& models)
    : ResumableRun(options, target, sums_of(models)) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target, const TextModel& model)
    : ResumableRun(options, target, std::vector<std::string>{model.sum}) {}

ResumableRun::ResumableRun(const Options& options, const RunTarget& target)
    : ResumableRun(options, target, std::vector<std::string>{}) {}

ResumableRun::ResumableRun(const RunTarget& target, const std::string& reason)
    : signals_(""), run_({.output = target.output}) {
  if (target.resume) throw UsageError("--resume: " + reason);
  if (is_divided(target)) throw UsageError("--shard: " + reason);
}

void ResumableRun::close() {
  if (!recorded_.empty()) remove_shard_record(recorded_);  // of an earlier output
  record_.items = run_.items();
  run_.close();
  if (!recorded_.empty()) write_shard_record(recorded_, record_);
}

std::string ResumableRun::earlier() const {
  return run_.done() == 0 ? "" : concat(" (", run_.done(), " of them by an earlier run)");
}

}  // namespace gloss
