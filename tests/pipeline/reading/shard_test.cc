// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

using Variables = std::vector<std::pair<const char*, const char*>>;

/// The shard in a process with these variables, or the error.
std::string shard_or_error(const Variables& variables, const std::string& text) {
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  std::string shard;
  try {
    shard = shard_of(text).text();
  } catch (const UsageError& error) {
    shard = error.what();
  }
  for (const auto& [name, value] : variables) ::unsetenv(name);
  return shard;
}

/// The shard; "" for an error.
std::string shard_with(const Variables& variables, const std::string& text) {
  const std::string found = shard_or_error(variables, text);
  return found.starts_with("--shard") ? "" : found;
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

TEST(Shards, OfATaskThatRunsAgainByItselfNeedTheirNumber) {
  const Variables slurm{{"SLURM_ARRAY_TASK_ID", "7"},
                        {"SLURM_ARRAY_TASK_MIN", "7"},
                        {"SLURM_ARRAY_TASK_MAX", "7"},
                        {"SLURM_ARRAY_TASK_STEP", "1"},
                        {"SLURM_ARRAY_TASK_COUNT", "1"}};
  const std::string error = shard_or_error(slurm, "auto");
  EXPECT_TRUE(has(error, "SLURM_ARRAY_TASK_ID is 7") && has(error, "auto/N")) << error;
  EXPECT_EQ(shard_with(slurm, "auto/10"), "7/10");
  EXPECT_EQ(shard_with({{"SGE_TASK_ID", "2"}, {"SGE_TASK_FIRST", "2"}, {"SGE_TASK_LAST", "2"}}, "auto"), "");
  EXPECT_EQ(shard_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}, "auto"), "1/1");
}

TEST(Shards, NameTheVariableThatIsWrong) {
  const auto expect_named = [](const Variables& variables, const std::string& text, const std::string& part) {
    const std::string error = shard_or_error(variables, text);
    EXPECT_TRUE(error.starts_with("--shard") && has(error, part)) << error;
  };
  expect_named({{"SLURM_ARRAY_TASK_ID", "0"}}, "auto/3", "SLURM_ARRAY_TASK_ID is 0");
  expect_named({{"AWS_BATCH_JOB_ARRAY_INDEX", "3"}}, "auto/3", "AWS_BATCH_JOB_ARRAY_INDEX is 3");
  expect_named({{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}}, "auto", "AWS_BATCH_JOB_ARRAY_SIZE");
  expect_named({{"JOB_COMPLETION_INDEX", "0"}}, "auto", "JOB_COMPLETION_INDEX");
  expect_named({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, "auto",
               "OMPI_COMM_WORLD_RANK");
  expect_named({{"SLURM_ARRAY_TASK_ID", "3"},
                {"SLURM_ARRAY_TASK_MIN", "3"},
                {"SLURM_ARRAY_TASK_MAX", "9"},
                {"SLURM_ARRAY_TASK_COUNT", "2"}},
               "auto", "SLURM_ARRAY_TASK_COUNT is 2");
  for (const char* const wrong : {"99999999999999999999", "-1", "many", ""}) {
    expect_named({{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_COUNT", wrong}}, "auto",
                 concat("SLURM_ARRAY_TASK_COUNT is '", wrong, "'"));
    expect_named({{"SLURM_ARRAY_TASK_ID", wrong}}, "auto/3", concat("SLURM_ARRAY_TASK_ID is '", wrong, "'"));
  }
}

}  // namespace
}  // namespace gloss
