// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/rank_parts.h"

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/exclusive_file.h"
#include "base/files.h"
#include "base/json.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/resumable_file.h"
#include "base/text.h"
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

void agree_on_parts(Ranks& ranks, const std::string& output, const ShardRecord& own, bool resume) {
  const nlohmann::json settings = common_settings(output, own, resume);
  const std::string of_first = from_first(ranks, json_line(settings));
  together(ranks, [&] {
    const nlohmann::json first = parse_json(of_first, "rank 0");
    if (first == settings) return;
    throw UsageError(concat("rank ", ranks.rank(),
                            " has other settings than rank 0: ", differences(first, settings),
                            "; give all ranks the same command, or each its "
                            "--shard"));
  });
  together(ranks, [&] {
    if (!ranks.first()) return;
    expect_writable(output);
    expect_usable_parts(output, ranks.size(), resume);
  });
}

void expect_shared_disk(Ranks& ranks, const std::string& output) {
  ranks.gather("");  // all have opened their parts
  together(ranks, [&] {
    for (int rank = 1; ranks.first() && rank < ranks.size(); ++rank) {
      const std::string part = shard_path(output, {rank + 1, ranks.size()});
      if (path_exists(part) || path_exists(ResumableFile::partial_path(part))) continue;
      throw Error(
          concat("--output: rank 0 does not see ", part, ", which rank ", rank,
                 " writes; all machines need this directory under the same path. Without a shared disk, "
                 "give each process its --shard and collect the files for gloss merge"));
    }
  });
}

void join_parts(Ranks& ranks, const std::string& output) {
  together(ranks, [&] {
    if (!ranks.first()) return;
    std::vector<std::string> parts;
    for (int rank = 0; rank < ranks.size(); ++rank) {
      parts.push_back(shard_path(output, {rank + 1, ranks.size()}));
    }
    const std::vector<FinishedShard> shards = checked_shards(parts);
    Output whole(output);
    join_shards(shards, whole);
    whole.close();
    remove_shards(shards);
  });
}

}  // namespace gloss
