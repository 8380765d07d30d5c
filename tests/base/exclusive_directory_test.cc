// SPDX-License-Identifier: Apache-2.0

#include "base/exclusive_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/exchange.h"
#include "tests/support/killed_after.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/writers_race.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kOwn{"a", "b", "c"};

struct stat state_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

unsigned mode_of(const std::string& path) { return state_of(path).st_mode & 07777; }

/// Makes a folder the current directory until the end of the scope.
class CurrentDirectory {
 public:
  explicit CurrentDirectory(const fs::path& path) { fs::current_path(path); }
  ~CurrentDirectory() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  CurrentDirectory(const CurrentDirectory&) = delete;
  CurrentDirectory& operator=(const CurrentDirectory&) = delete;

 private:
  const fs::path before_ = fs::current_path();
};

struct ExclusiveDirectories : testing::Test {
  ExclusiveDirectories() {
    fs::create_directory(target);
    for (const char* name : {"a", "b", "c"}) folder.write(concat("made/", name), "old");
  }
  /// Replaces the files by a and b with this text.
  void write(const std::string& path, const std::string& text = "new") {
    ExclusiveDirectory directory(path, kOwn);
    for (const char* name : {"/a", "/b"}) write_file(directory.path() + name, text);
    fs::remove(directory.path() + "/c");
    directory.give_name();
  }
  void expect_new() {
    for (const char* name : {"made/a", "made/b"}) EXPECT_EQ(folder.read(name), "new");
    EXPECT_FALSE(fs::exists(target + "/c"));
  }

  const TemporaryDirectory folder;
  const std::string target = folder / "made";
};

TEST_F(ExclusiveDirectories, AppearInOneStep) {
  const ino_t old = state_of(target).st_ino;
  {
    ExclusiveDirectory directory(target, kOwn);
    for (const char* name : {"/a", "/b"}) write_file(directory.path() + name, "new");
    for (const char* name : {"made/a", "made/b", "made/c"}) EXPECT_EQ(folder.read(name), "old");
    EXPECT_EQ(names_in(target).size(), 3u);
    directory.give_name();
  }
  expect_new();
  if (can_exchange(folder.path())) {
    EXPECT_NE(state_of(target).st_ino, old) << "a new directory";
  }
  EXPECT_EQ(names_in(folder.path()).size(), 1u) << "no temporary directory is left";
}

TEST_F(ExclusiveDirectories, StayAsTheyAreWithoutAName) {
  {
    const ExclusiveDirectory directory(target, kOwn), fresh(folder / "parent/fresh", kOwn);
    write_file(directory.path() + "/a", "new");
    write_file(fresh.path() + "/a", "new");
  }
  EXPECT_EQ(folder.read("made/a"), "old");
  EXPECT_EQ(names_in(target).size(), 3u);
  EXPECT_EQ(names_in(folder.path()).size(), 2u);
  EXPECT_EQ(names_in(folder / "parent").size(), 0u);
}

TEST_F(ExclusiveDirectories, KeepFilesOfOthersAndAccess) {
  folder.write("made/README", "by hand");
  folder.write("made/a.gloss-0123456789abcdef.partial", "from a killed process");
  const ino_t readme = state_of(target + "/README").st_ino;
  chmod(target.c_str(), 02750);
  chmod((target + "/a").c_str(), 0600);
  write(target);
  expect_new();
  EXPECT_EQ(names_in(target).size(), 3u);
  EXPECT_EQ(folder.read("made/README"), "by hand");
  EXPECT_EQ(state_of(target + "/README").st_ino, readme) << "the same file, not a copy";
  EXPECT_EQ(mode_of(target), 02750u);
  EXPECT_EQ(mode_of(target + "/a"), 0600u);
}

TEST_F(ExclusiveDirectories, AreWrittenThroughALink) {
  fs::create_symlink("made", folder / "link");
  write(folder / "link");
  expect_new();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(write(folder / "dangling"), Error);
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

TEST_F(ExclusiveDirectories, StayThemselvesIfTheyCannotBeExchangedUnnoticed) {
  const ino_t old = state_of(target).st_ino;
  {
    const CurrentDirectory here(target);
    write(".");
  }
  expect_new();
  EXPECT_EQ(state_of(target).st_ino, old) << "the current directory";
  folder.write("made/a", "old");
  fs::create_directory(target + "/notes");
  folder.write("made/notes/text", "by hand");
  write(target);
  expect_new();
  EXPECT_EQ(folder.read("made/notes/text"), "by hand");
  EXPECT_EQ(state_of(target).st_ino, old) << "a directory with subdirectories";
}

TEST_F(ExclusiveDirectories, OfManyWritersThatStartTogetherOneWins) {
  for (int round = 0; round < 50; ++round) {
    const int winners = winners_of_race(
        4, [&] { return std::make_unique<ExclusiveDirectory>(target, kOwn); },
        [](ExclusiveDirectory& directory) {
          write_file(directory.path() + "/a", "new");
          directory.give_name();
        });
    EXPECT_EQ(winners, 1);
  }
  EXPECT_EQ(names_in(folder.path()).size(), 1u);
}

TEST_F(ExclusiveDirectories, AreNotReplacedByTheFilesOfAnother) {
  for (const bool replaced : {false, true}) {
    ExclusiveDirectory directory(folder / "fresh", kOwn);
    write_file(directory.path() + "/a", "new");
    fs::remove(folder / "fresh");
    if (replaced) {
      fs::create_directory(folder / "other");
      folder.write("other/notes", "by hand");
      fs::rename(folder / "other", folder / "fresh");
    }
    EXPECT_THROW(directory.give_name(), Error);
  }
  EXPECT_EQ(names_in(folder / "fresh"), std::vector<std::string>{"notes"});
  EXPECT_EQ(names_in(folder.path()).size(), 2u) << "no temporary directory is left";
}

// A subdirectory cannot be kept by a further name, so the files are moved one by one.
TEST_F(ExclusiveDirectories, MoveTheirFilesIfTheyChangeMeanwhile) {
  const ino_t old = state_of(target).st_ino;
  folder.write("made/README", "by hand");
  for (const char* name : {"/a", "/b", "/c"}) chmod((target + name).c_str(), 0600);
  {
    ExclusiveDirectory directory(target, kOwn);
    for (const char* name : {"/a", "/b"}) write_file(directory.path() + name, "new");
    fs::create_directory(target + "/notes");
    folder.write("made/notes/text", "by hand");
    directory.give_name();
  }
  expect_new();
  EXPECT_EQ(state_of(target).st_ino, old);
  for (const char* name : {"/a", "/b"}) EXPECT_EQ(mode_of(target + name), 0600u) << name;
  EXPECT_EQ(folder.read("made/notes/text"), "by hand");
  EXPECT_EQ(folder.read("made/README"), "by hand");
  EXPECT_EQ(names_in(target).size(), 4u);
  EXPECT_EQ(names_in(folder.path()).size(), 1u) << "no temporary directory is left";
}

TEST_F(ExclusiveDirectories, RemoveWhatAKilledWriterLeftAndNothingElse) {
  folder.write("made/README", "by hand");
  killed_after([&] {
    const ExclusiveDirectory directory(target, kOwn);
    write_file(directory.path() + "/a", "half");
    folder.write(fs::path(directory.path()).filename().string() + "/b.gloss-0123456789abcdef.partial",
                 "half");
    fs::create_hard_link(target + "/README", directory.path() + "/README");
    raise(SIGKILL);
  });
  EXPECT_EQ(folder.read("made/a"), "old");
  ASSERT_EQ(names_in(folder.path()).size(), 2u);
  // Not a leftover: in use, with somebody else's files, another name, a file.
  const std::string used = folder / "made.gloss-0000000000000001.partial",
                    notes = folder / "made.gloss-0000000000000002.partial",
                    other = folder / "made.gloss-notes.partial",
                    file = folder.write("made.gloss-0000000000000003.partial", "mine");
  for (const std::string& path : {used, notes, other}) fs::create_directory(path);
  write_file(notes + "/notes", "by hand");
  const int lock = open(used.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  write(target);
  close(lock);
  expect_new();
  EXPECT_EQ(folder.read("made/README"), "by hand");
  for (const std::string& path : {used, notes + "/notes", other, file}) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_EQ(names_in(folder.path()).size(), 5u) << "the directory of the killed process is gone";
}

}  // namespace
}  // namespace gloss
