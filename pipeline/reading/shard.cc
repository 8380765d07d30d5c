// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/shard.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr int kMostShards = 1'000'000, kMostNumber = 1'000'000'000;

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

/// The value of a variable; nothing if it has no name or is not set, for which Grid Engine has a word. Throws
/// UsageError if it is no number in range.
std::optional<int> variable(const char* name) {
  constexpr std::string_view kNotSet = "undefined";
  const char* const value = name == nullptr ? nullptr : std::getenv(name);
  if (value == nullptr || value == kNotSet) return std::nullopt;
  const std::optional<int> number = integer(value);
  if (number && *number >= 0 && *number <= kMostNumber) return number;
  throw UsageError(concat("--shard auto: ", name, " is ", shown(value),
                          "; expected a whole number from 0 to ", kMostNumber));
}

std::string names_of_variables() {
  std::string names;
  for (const ArrayJob& job : kArrayJobs) names += concat(names.empty() ? "" : ", ", job.number);
  return names;
}

/// Throws UsageError unless the shard is one of 1 to N; `source` says where its number comes from.
const Shard& expect_valid(const Shard& shard, const std::string& source) {
  if (shard.count >= 1 && shard.count <= kMostShards && shard.number >= 1 && shard.number <= shard.count) {
    return shard;
  }
  throw UsageError(concat("--shard: found shard ", shard.number, " of ", shard.count, source,
                          "; expected a number from 1 to N and N up to ", kMostShards));
}

/// The shard of a task whose array may have any numbers.
Shard shard_in_array(const ArrayJob& job, int task) {
  const int first = variable(job.first).value_or(0), step = variable(job.step).value_or(1);
  const std::optional<int> last = variable(job.last), told = variable(job.count);
  std::optional<int> count = told;
  if (last) count = step > 0 ? (*last - first) / step + 1 : 0;
  if (!count) {
    throw UsageError(
        concat("--shard auto: ", job.system, " sets ", job.number,
               job.count == nullptr ? "" : concat(" but not ", job.count),
               ", which does not say how many tasks there are; give their number: --shard auto/N"));
  }
  if (told && *told != *count) {
    throw UsageError(concat("--shard auto: ", job.count, " is ", *told, ", but there are more tasks from ",
                            first, " to ", *last, " (", job.first, ", ", job.last,
                            "): not all tasks run; give the number of shards: --shard auto/N"));
  }
  if (last && *count == 1) {
    throw UsageError(concat("--shard auto: ", job.number, " is ", task,
                            ", the only task of this array, which may be one of several that runs again; "
                            "give the number of shards: --shard auto/N, or leave out --shard"));
  }
  return expect_valid({step > 0 ? (task - first) / step + 1 : 0, *count},
                      concat(" (", job.number, " is ", task, ")"));
}

Shard shard_of_task(std::optional<int> count) {
  for (const ArrayJob& job : kArrayJobs) {
    const std::optional<int> task = variable(job.number);
    if (!task) continue;
    if (!count) return shard_in_array(job, *task);
    // With a given number, the tasks have the numbers of the shards: some of them may run again.
    const bool from_zero = job.first == nullptr;
    return expect_valid({from_zero ? *task + 1 : *task, *count},
                        concat(" (", job.number, " is ", *task, ", counted from ", from_zero ? 0 : 1, ")"));
  }
  throw UsageError(concat("--shard auto: none of ", names_of_variables(),
                          " is set: this is no task of an array job; give the shard: --shard I/N"));
}

}  // namespace

std::string Shard::text() const { return concat(number, "/", count); }

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  const std::vector<std::string> parts = split(text, '/');
  std::optional<int> count;
  if (parts.size() == 2) count = integer(parts[1]);
  const bool automatic = parts.front() == "auto" && (parts.size() == 1 || count);
  const std::optional<int> number = integer(parts.front());
  if (!automatic && !(number && count)) {
    throw UsageError(concat("--shard: found ", shown(text), ", expected I/N such as 3/10, auto or auto/N"));
  }
  return automatic ? shard_of_task(count) : expect_valid({number.value_or(0), count.value_or(0)}, "");
}

std::string shard_path(const std::string& path, const Shard& shard) {
  const std::string count = std::to_string(shard.count), number = std::to_string(shard.number);
  return concat(path, ".shard-", std::string(count.size() - number.size(), '0'), number, "-of-", count);
}

}  // namespace gloss
