// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/shard.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr int kMostShards = 1'000'000;

/// How the processes of an array job know which they are: names of environment variables.
struct ArrayJob {
  const char* system;
  const char* number;  ///< of this task
  const char* first;   ///< the smallest number; null: 0
  const char* last;    ///< the largest number; null: `count` says how many there are
  const char* step;    ///< between numbers; null: 1
  const char* count;   ///< number of tasks; null: follows from the largest
};

constexpr std::array kArrayJobs{
    ArrayJob{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
             "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
    ArrayJob{"Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", nullptr},
    ArrayJob{"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", nullptr, nullptr, nullptr, "AWS_BATCH_JOB_ARRAY_SIZE"},
    ArrayJob{"Kubernetes", "JOB_COMPLETION_INDEX", nullptr, nullptr, nullptr, nullptr},
    ArrayJob{"Open MPI", "OMPI_COMM_WORLD_RANK", nullptr, nullptr, nullptr, "OMPI_COMM_WORLD_SIZE"},
    ArrayJob{"MPI", "PMI_RANK", nullptr, nullptr, nullptr, "PMI_SIZE"},
};

std::optional<int> integer(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The value of a variable; nothing if it has no name, is not set or is no integer ("undefined").
std::optional<int> variable(const char* name) {
  const char* const value = name == nullptr ? nullptr : std::getenv(name);
  return value == nullptr ? std::nullopt : integer(value);
}

std::string names_of_variables() {
  std::string names;
  for (const ArrayJob& job : kArrayJobs) names += concat(names.empty() ? "" : ", ", job.number);
  return names;
}

/// The shard of a task whose array may have any numbers.
Shard shard_in_array(const ArrayJob& job, int task, std::optional<int> count) {
  const int first = variable(job.first).value_or(0), step = variable(job.step).value_or(1);
  const std::optional<int> last = variable(job.last), told = variable(job.count);
  if (last) count = step > 0 ? (*last - first) / step + 1 : 0;
  if (!last) count = told;
  if (!count) {
    throw UsageError(
        concat("--shard auto: ", job.system, " does not tell the number of tasks; give it: --shard auto/N"));
  }
  if (told && *told != *count) {
    throw UsageError(concat("--shard auto: the array has ", *told, " tasks from ", first, " to ", *last,
                            ", not all of them; give the number of shards: --shard auto/N"));
  }
  return {step > 0 ? (task - first) / step + 1 : 0, *count};
}

Shard shard_of_task(std::optional<int> count) {
  for (const ArrayJob& job : kArrayJobs) {
    const std::optional<int> task = variable(job.number);
    if (!task) continue;
    // With a given number, the tasks have the numbers of the shards: some of them may run again.
    if (count) return {job.first == nullptr ? *task + 1 : *task, *count};
    return shard_in_array(job, *task, count);
  }
  throw UsageError(concat("--shard auto: none of ", names_of_variables(),
                          " is set: this is no task of an array job; give the shard: --shard I/N"));
}

}  // namespace

std::string Shard::text() const { return concat(number, "/", count); }

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  const std::vector<std::string> parts = split(text, '/');
  const std::optional<int> count = parts.size() == 2 ? integer(parts[1]) : std::nullopt;
  const bool automatic = parts.front() == "auto" && (parts.size() == 1 || count);
  const std::optional<int> number = integer(parts.front());
  if (!automatic && !(number && count)) {
    throw UsageError(concat("--shard: found '", text, "', expected I/N such as 3/10, auto or auto/N"));
  }
  const Shard shard = automatic ? shard_of_task(count) : Shard{*number, *count};
  if (shard.count < 1 || shard.count > kMostShards || shard.number < 1 || shard.number > shard.count) {
    throw UsageError(concat("--shard: found shard ", shard.number, " of ", shard.count,
                            "; expected a number from 1 to N and N up to ", kMostShards));
  }
  return shard;
}

std::string shard_path(const std::string& path, const Shard& shard) {
  const std::string count = std::to_string(shard.count), number = std::to_string(shard.number);
  return concat(path, ".shard-", std::string(count.size() - number.size(), '0'), number, "-of-", count);
}

}  // namespace gloss
