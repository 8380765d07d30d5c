// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/rank_job.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "base/error.h"
#include "base/exclusive_file.h"
#include "base/file_to_write.h"
#include "base/files.h"
#include "base/json.h"
#include "base/mpi_module.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/resumable_file.h"
#include "base/text.h"
#include "cli/help/help_command.h"
#include "cli/process/event_log.h"
#include "cli/process/signals.h"
#include "cli/process/with_ranks.h"
#include "pipeline/runs/answer_run.h"
#include "pipeline/runs/run_journal.h"
#include "pipeline/runs/shard_merge.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The N in "text.de.shard-1-of-N", also with more at the end; nothing in other names.
std::optional<int> count_in(const std::string& name) {
  constexpr std::string_view kOf = "-of-";
  const std::size_t of = name.rfind(kOf);
  if (of == std::string::npos) return std::nullopt;
  const std::string rest = name.substr(of + kOf.size());
  int count = 0;
  if (!parse_number(rest.substr(0, rest.find('.')), count)) return std::nullopt;
  return count;
}

/// True if an earlier run has finished lines of this part, complete or not.
bool has_lines(const std::string& part) { return path_exists(part) || RunJournal(part).has_progress(); }

/// The part that a file beside the output belongs to: its name without the endings of other files.
std::string part_of(std::string path) {
  for (const std::string_view ending : {".json", ".run", ".partial"}) {
    if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  }
  return path;
}

/// Throws Error if the output cannot be written: better now than after hours.
void expect_writable(const std::string& output) {
  std::error_code unknown;  // ExclusiveFile says why
  const fs::file_status status = fs::status(output, unknown);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) ExclusiveFile{output};
}

/// Throws UsageError for what an earlier run has left, unless `ranks` ranks can continue it and shall.
void expect_usable_parts(const std::string& output, int ranks, bool resume) {
  if (RunJournal(output).has_progress()) {
    throw UsageError(
        concat(ResumableFile::partial_path(output),
               " is an unfinished output of one process; continue it without mpirun, or remove it"));
  }
  const std::string folder = folder_of(output), prefix = fs::path(output).filename().string() + ".shard-";
  for (const std::string& name : names_in(folder)) {
    const std::optional<int> count = name.starts_with(prefix) ? count_in(name) : std::nullopt;
    const std::string part = part_of((fs::path(output).parent_path() / name).string());
    if (!count || !has_lines(part)) continue;
    if (*count != ranks) {
      throw UsageError(concat(part, " is a part of a run on ", *count, " ranks, and now there are ", ranks,
                              "; continue with mpirun -n ", *count,
                              ", join complete parts with gloss merge, or "
                              "remove them"));
    }
    if (!resume) {
      throw UsageError(concat(path_exists(part) ? part : ResumableFile::partial_path(part),
                              " is a part of an unfinished output; continue it with --resume, or remove it"));
    }
  }
}

/// What all ranks must have in common.
nlohmann::json common_settings(const std::string& output, const ShardRecord& own, bool resume) {
  nlohmann::json input = own.range;
  input.erase("begin");
  input.erase("end");
  return {{"run", own.identity}, {"output", output}, {"input", input}, {"resume", resume}};
}

}  // namespace

Ranks& RankJob::ranks() {
  expects(divided(), "a process that works by itself has no ranks");
  return *ranks_;
}

Shard RankJob::join(const std::string& output, const std::string& shard) {
  const bool named = !written_directly(output) || is_folder(output);  // which `agree` refuses once
  const bool alone = !shard.empty() || !named || launched_processes() == 1;
  if (shard.empty() && !named && launched_processes() > 1 && launched_rank() == 0 && !decided_) {
    std::cerr << "gloss: warning: each of the " << launched_processes()
              << " processes answers the whole input; give --output FILE, so that they write one output "
                 "together, or --shard\n";
  }
  decided_ = alone || mpi_module().operations != nullptr;
  if (alone) return shard_of(shard);
  if (!decided_) {
    throw UsageError(concat("was started as one of ", launched_processes(),
                            " processes, which need MPI to write one output together, but ",
                            mpi_module().problem,
                            ", or give --shard auto and join the shards with gloss merge"));
  }
  if (ranks_ == nullptr) ranks_ = join_ranks();
  if (!first()) event_log().close();
  return {ranks_->rank() + 1, ranks_->size()};
}

void RankJob::agree(const std::string& output, const ShardRecord& own, bool resume) {
  const nlohmann::json settings = common_settings(output, own, resume);
  const std::string of_first = from_first(ranks(), json_line(settings));
  together(ranks(), [&] {
    const nlohmann::json first = parse_json(of_first, "rank 0");
    if (first == settings) return;
    throw UsageError(concat("rank ", ranks().rank(),
                            " has other settings than rank 0: ", differences(first, settings),
                            "; give all ranks the same command, or each its "
                            "--shard"));
  });
  together(ranks(), [&] {
    if (!first()) return;
    expect_writable(output);
    expect_usable_parts(output, ranks().size(), resume);
  });
}

void RankJob::expect_shared_disk(const std::string& output) {
  ranks().gather("");  // all have opened their parts
  together(ranks(), [&] {
    for (int rank = 1; first() && rank < ranks().size(); ++rank) {
      const std::string part = shard_path(output, {rank + 1, ranks().size()});
      if (path_exists(part) || path_exists(ResumableFile::partial_path(part))) continue;
      throw Error(
          concat("--output: rank 0 does not see ", part, ", which rank ", rank,
                 " writes; all machines need this directory under the same path. Without a shared disk, "
                 "give each process its --shard and collect the files for gloss merge"));
    }
  });
}

void RankJob::join_parts(const std::string& output) {
  together(ranks(), [&] {
    if (!first()) return;
    std::vector<std::string> parts;
    for (int rank = 0; rank < ranks().size(); ++rank) {
      parts.push_back(shard_path(output, {rank + 1, ranks().size()}));
    }
    const std::vector<FinishedShard> shards = checked_shards(parts);
    Output whole(output);
    join_shards(shards, whole);
    whole.close();
    remove_shards(shards);
  });
}

bool RankJob::may_repeat_an_error() const {
  if (ranks_ != nullptr) return !ranks_->left() && !ranks_->first();
  return !decided_ && launched_rank() > 0;
}

int RankJob::run(const std::function<int(RankJob&)>& work) {
  try {
    const int status = work(*this);
    if (divided()) ranks_->leave();
    return status;
  } catch (const HelpRequest&) {
    throw;
  } catch (const OtherRankFailed&) {
    throw;
  } catch (const StoppedRun&) {
    if (first()) throw;
    end_by_signal(StopSignals::first_received());
  } catch (...) {
    if (may_repeat_an_error()) wait_for_first_rank();
    throw;
  }
}

int on_ranks(const std::function<int(RankJob&)>& work) { return RankJob().run(work); }

}  // namespace gloss
