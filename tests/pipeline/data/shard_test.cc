// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"

namespace gloss {
namespace {

using Variables = std::vector<std::pair<const char*, const char*>>;

/// The shard in a process with these variables; "" for an error.
std::string shard_with(const Variables& variables, const std::string& text) {
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  std::string shard;
  try {
    shard = shard_of(text).text();
  } catch (const UsageError&) {
  }
  for (const auto& [name, value] : variables) ::unsetenv(name);
  return shard;
}

TEST(Shards, AreNumbersFromOne) {
  EXPECT_EQ(shard_of("3/10"), (Shard{3, 10}));
  EXPECT_EQ(shard_of("1/1"), Shard{});
  EXPECT_TRUE(shard_of("").whole());
  for (const std::string wrong : {"3", "0/4", "5/4", "-1/4", "1/0", "1/-4", "a/4", "1/b", "1/4/2", "/", "3/",
                                  "/3", "1.5/3", " 1/3", "auto/", "auto/x", "auto/0", "1/99999999999"}) {
    EXPECT_THROW(shard_of(wrong), UsageError) << wrong;
  }
}

TEST(Shards, HaveFilesWhoseNamesSortByNumber) {
  EXPECT_EQ(shard_path("a/text.de", {3, 4}), "a/text.de.shard-3-of-4");
  EXPECT_EQ(shard_path("text.de", {7, 1000}), "text.de.shard-0007-of-1000");
}

TEST(Shards, ComeFromArrayJobs) {
  const Variables slurm{{"SLURM_ARRAY_TASK_ID", "6"},
                        {"SLURM_ARRAY_TASK_MIN", "2"},
                        {"SLURM_ARRAY_TASK_MAX", "8"},
                        {"SLURM_ARRAY_TASK_STEP", "2"},
                        {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_EQ(shard_with(slurm, "auto"), "3/4");
  EXPECT_EQ(shard_with(slurm, "auto/10"), "6/10") << "some tasks of ten run again";
  Variables some = slurm;
  some[4].second = "2";
  EXPECT_EQ(shard_with(some, "auto"), "") << "a list of tasks";
  EXPECT_EQ(
      shard_with(
          {{"SGE_TASK_ID", "2"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "5"}, {"SGE_TASK_STEPSIZE", "1"}},
          "auto"),
      "2/5");
  EXPECT_EQ(shard_with({{"SGE_TASK_ID", "undefined"}}, "auto"), "");
  EXPECT_EQ(shard_with({{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "3"}}, "auto"),
            "1/3");
  EXPECT_EQ(shard_with({{"JOB_COMPLETION_INDEX", "4"}}, "auto/5"), "5/5");
  EXPECT_EQ(shard_with({{"JOB_COMPLETION_INDEX", "4"}}, "auto"), "") << "the number of tasks is not known";
  EXPECT_EQ(shard_with({{"JOB_COMPLETION_INDEX", "5"}}, "auto/5"), "");
  EXPECT_EQ(shard_with({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, "auto"), "2/2");
  EXPECT_EQ(shard_with({}, "auto"), "");
  EXPECT_EQ(shard_with({}, "auto/3"), "");
}

}  // namespace
}  // namespace gloss
