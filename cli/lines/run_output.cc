// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/run_output.h"

#include <optional>

#include "base/error.h"
#include "base/file_to_write.h"
#include "base/paths.h"
#include "base/resumable_file.h"
#include "pipeline/runs/run_journal.h"

namespace gloss {
namespace {

void expect_whole_run(const RunOutput& output, bool ranks) {
  const std::string& reason = output.whole_because;
  if (output.resume) throw UsageError("--resume: " + reason);
  if (ranks) throw UsageError(concat("mpirun: ", reason, ", or start the command without mpirun"));
  if (output.divided()) throw UsageError("--shard: " + reason);
}

void expect_other_file(const FurtherOutput& further, const RunOutput& output, bool ranks) {
  if (ranks && written_directly(further.path)) {
    throw UsageError(
        concat("--", further.option, ": ", further.path,
               " would be written by all ranks; give a file, or start the command without mpirun"));
  }
  const std::string answers = output.own_path();
  const std::string partial = ResumableFile::partial_path(answers);
  const auto is_it = [&](const std::string& path) { return plain_path(path) == plain_path(further.path); };
  if (!is_it(answers) && !is_it(partial) && !is_it(partial + ".run")) return;
  throw UsageError(concat("--", further.option, ": ", further.path == "-" ? "standard output" : further.path,
                          " is ",
                          is_it(answers) ? "also given for --output" : "a file of an unfinished --output",
                          "; choose another file"));
}

}  // namespace

Field resume_field(bool& resume) {
  return {"resume",     &resume, "continue the unfinished output of an earlier run; without one, start",
          {},           0,       "",
          kFreeOnResume};
}

std::string RunOutput::own(const std::string& whole) const {
  return whole.empty() || written_directly(whole) || !divided() ? whole : shard_path(whole, shard->shard());
}

std::vector<FurtherOutput> RunOutput::own_further() const {
  std::vector<FurtherOutput> outputs = further;
  for (FurtherOutput& output : outputs) output.path = own(output.path);
  return outputs;
}

void check(const RunOutput& output, bool ranks) {
  if (!output.whole_because.empty()) expect_whole_run(output, ranks);
  for (const FurtherOutput& further : output.own_further()) expect_other_file(further, output, ranks);
}

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

}  // namespace gloss
