// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/shard_merge.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "base/resumable_file.h"
#include "base/text.h"
#include "pipeline/runs/run_journal.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

FinishedShard read_shard(const std::string& path) {
  if (!path_exists(path)) {
    const std::string partial = ResumableFile::partial_path(path);
    throw InputError(path_exists(partial) ? concat(partial, " is not complete; continue it with --resume")
                                          : concat(path, " does not exist; expected a shard"));
  }
  const std::optional<ShardRecord> record = read_shard_record(path);
  if (!record) {
    throw InputError(concat(path, " has no ", path,
                            ".json; expected the record that --shard writes when a shard is complete"));
  }
  if (!is_intact(path, *record)) {
    throw InputError(concat(path, " was changed: expected ", record->bytes, " bytes with the checksum ",
                            record->sum, "; translate the shard again"));
  }
  return {path, *record};
}

/// Throws InputError unless both are of one job.
void expect_same_job(const FinishedShard& first, const FinishedShard& other) {
  const auto input = [](const FinishedShard& shard) {
    nlohmann::json range = shard.record.range;
    range.erase("begin");
    range.erase("end");
    return nlohmann::json{
        {"run", shard.record.identity}, {"input", range}, {"shards", shard.record.shard.count}};
  };
  if (input(first) == input(other)) return;
  throw InputError(concat(other.path, " is of another job than ", first.path, ": ",
                          differences(input(first), input(other))));
}

/// Where shard `number` should be, given another one.
std::string expected_path(const FinishedShard& known, int number) {
  const Shard& shard = known.record.shard;
  const std::string suffix = shard_path("", shard);
  if (!known.path.ends_with(suffix)) return concat("shard ", Shard{number, shard.count}.text());
  return shard_path(known.path.substr(0, known.path.size() - suffix.size()), {number, shard.count});
}

/// Throws InputError that names the first shard that is missing or twice among these, which are in order.
void expect_each_once(const std::vector<FinishedShard>& shards) {
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Shard& shard = shards[i].record.shard;
    if (i > 0 && shard == shards[i - 1].record.shard)
      throw InputError(concat(shards[i].path, " and ", shards[i - 1].path, " are both shard ", shard.text()));
    if (shard.number < 1 || shard.number > shard.count)
      throw InputError(concat(shards[i].path, ".json: found shard ", shard.text()));
  }
  const int count = shards.front().record.shard.count;
  int missing = 1;
  for (const FinishedShard& shard : shards) missing += shard.record.shard.number == missing ? 1 : 0;
  if (missing > count) return;
  const std::string path = expected_path(shards.front(), missing);
  const std::string partial = ResumableFile::partial_path(path);
  if (path_exists(partial)) throw InputError(partial + " is not complete; continue it with --resume");
  throw InputError(concat(path, " is missing; expected ", count, " shards and found ", shards.size()));
}

/// Throws InputError unless the shards, which are in order, have the whole input.
void expect_whole_input(const std::vector<FinishedShard>& shards) {
  nlohmann::json end = 0;
  for (const FinishedShard& shard : shards) {
    const nlohmann::json& range = shard.record.range;
    if (range.value("begin", nlohmann::json()) != end)
      throw InputError(concat(
          shard.path, ".json: the shard does not begin where the one before ends: ", json_line(range)));
    end = range.value("end", nlohmann::json());
  }
  if (end != shards.back().record.range.value("total", nlohmann::json()))
    throw InputError(concat(shards.back().path, ".json: the last shard does not end where the input ends"));
}

}  // namespace

std::vector<std::string> shards_beside(const std::string& output) {
  const std::string folder = folder_of(output), prefix = fs::path(output).filename().string() + ".shard-";
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    // NAME.partial has other files beside it.
    if (!name.starts_with(prefix) || name.ends_with(".json") ||
        name.find(".partial", prefix.size()) != std::string::npos)
      continue;
    found.push_back((fs::path(output).parent_path() / name).string());
  }
  if (error) throw InputError(concat("cannot read the directory ", folder, ": ", error.message()));
  std::ranges::sort(found);
  return found;
}

std::vector<FinishedShard> checked_shards(const std::vector<std::string>& paths) {
  std::vector<FinishedShard> shards;
  for (const std::string& path : paths) {
    shards.push_back(read_shard(path));
    expect_same_job(shards.front(), shards.back());
  }
  if (shards.empty()) return shards;
  std::ranges::stable_sort(shards, {}, [](const FinishedShard& shard) { return shard.record.shard.number; });
  expect_each_once(shards);
  expect_whole_input(shards);
  return shards;
}

void join_shards(const std::vector<FinishedShard>& shards, Output& output) {
  for (const FinishedShard& shard : shards) output.write(MappedFile(shard.path).text());
}

void remove_shards(const std::vector<FinishedShard>& shards) {
  for (const FinishedShard& shard : shards) {
    ::unlink(shard.path.c_str());
    remove_shard_record(shard.path);
  }
}

}  // namespace gloss
