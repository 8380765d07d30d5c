// SPDX-License-Identifier: Apache-2.0

#include "base/unfinished_directory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/exclusive_directory.h"
#include "base/files.h"
#include "base/short_lived_directory.h"
#include "base/text.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct UnfinishedDirectories : testing::Test {
  /// A new directory with files.
  std::string create(const std::string& name, int files) const {
    fs::create_directory(folder / name);
    for (int i = 0; i < files; ++i) folder.write(concat(name, "/", i), "1");
    return folder / name;
  }
  TemporaryDirectory folder;
};

TEST_F(UnfinishedDirectories, AreRemovedWithTheirFiles) {
  EXPECT_FALSE(remove_unfinished_directories());
  constexpr int kMany = 300;  // more than the system lists at a time
  const UnfinishedDirectory full(create("full", kMany), true), empty(create("empty", 0), false);
  EXPECT_TRUE(remove_unfinished_directories());
  EXPECT_TRUE(names_in(folder / "").empty());
}

TEST_F(UnfinishedDirectories, KeepWhatIsNotTheirs) {
  const UnfinishedDirectory target(create("target", 1), false);
  const std::string deep = create("deep", 1);
  create("deep/inner", 1);
  const UnfinishedDirectory with_directory(deep, true);
  const std::string other = create("other", 1);
  fs::create_directory_symlink(other, folder / "link");
  const UnfinishedDirectory link(folder / "link", true);
  remove_unfinished_directories();
  for (const std::string name : {"target/0", "deep/inner/0", "other/0"})
    EXPECT_TRUE(fs::exists(folder / name));
  EXPECT_FALSE(fs::exists(folder / "deep/0"));
}

TEST_F(UnfinishedDirectories, StayOnceFinished) {
  UnfinishedDirectory finished(create("finished", 1), true);
  finished.finish();
  { const UnfinishedDirectory gone(create("gone", 1), true); }
  EXPECT_FALSE(remove_unfinished_directories());
  UnfinishedDirectory moved(create("moved", 1), true), to = std::move(moved);
  moved.finish();
  UnfinishedDirectory assigned;
  assigned = std::move(to);
  to.finish();
  EXPECT_TRUE(remove_unfinished_directories());
  EXPECT_FALSE(fs::exists(folder / "moved"));
  EXPECT_EQ(names_in(folder / "").size(), 2u);
}

TEST_F(UnfinishedDirectories, MayBeMoreThanAreKnown) {
  std::vector<UnfinishedDirectory> many;
  for (int i = 0; i < 50; ++i) many.emplace_back(create(concat("many", i), 1), true);
  remove_unfinished_directories();
  many.clear();
  EXPECT_FALSE(remove_unfinished_directories());
}

TEST_F(UnfinishedDirectories, AreThoseOfOutputsUntilTheyHaveTheirPlace) {
  {
    ExclusiveDirectory output(folder / "output", {"a"});
    write_file(output.path() + "/a", "1");
    EXPECT_TRUE(remove_unfinished_directories());
    EXPECT_TRUE(names_in(folder / "").empty());
  }
  ExclusiveDirectory output(folder / "output", {"a"});
  write_file(output.path() + "/a", "1");
  output.give_name();
  ShortLivedDirectory converted(folder / "", "model", {"a"});
  write_file(converted.path() + "/a", "1");
  ASSERT_TRUE(converted.keep_as(folder / "kept"));
  EXPECT_FALSE(remove_unfinished_directories());
  const ShortLivedDirectory other(folder / "", "model", {"a"});
  EXPECT_TRUE(remove_unfinished_directories());
  EXPECT_FALSE(fs::exists(other.path()));
  EXPECT_TRUE(fs::exists(folder / "kept/a"));
  EXPECT_TRUE(fs::exists(folder / "output/a"));
}

/// The program that a signal ends: it creates and gives up directories without a pause.
[[noreturn]] void create_until_ended(const std::string& folder) {
  for (const int signal : kEndingSignals) {
    ::signal(signal, [](int) {
      remove_unfinished_directories();
      ::_exit(0);
    });
  }
  while (true) {
    const ExclusiveDirectory output(folder + "/output", {"a"});
    const ShortLivedDirectory converted(folder, "model", {"a"});
  }
}

TEST_F(UnfinishedDirectories, AreMarkedBeforeASignalEndsTheProgram) {
  constexpr unsigned kTrials = 100, kStep = 37;  // microseconds
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    const pid_t child = ::fork();
    if (child == 0) create_until_ended(folder / "");
    while (names_in(folder / "").empty() && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(100);
    ::usleep(kStep * trial);
    ::kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    ASSERT_EQ(names_in(folder / ""), std::vector<std::string>{}) << "trial " << trial;
  }
}

}  // namespace
}  // namespace gloss
