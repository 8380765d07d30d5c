// SPDX-License-Identifier: Apache-2.0

#include "base/writer_lock.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/error.h"
#include "base/exclusive_directory.h"
#include "base/exclusive_file.h"
#include "base/files.h"
#include "base/resumable_file.h"
#include "base/short_lived_path.h"
#include "base/temporary_name.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/killed_after.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/writers_race.h"

namespace {

std::atomic<bool> file_systems_have_locks = true;

}  // namespace

/// Takes the place of the system's function.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (file_systems_have_locks) return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
  errno = ENOLCK;
  return -1;
}

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct WithoutLocks : testing::Test {
  WithoutLocks() { file_systems_have_locks = false; }
  ~WithoutLocks() override { file_systems_have_locks = true; }

  template <class Writer>
  std::string refusal(auto... arguments) const {
    try {
      const Writer writer(arguments...);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  void write(const std::string& bytes) const {
    ExclusiveFile file(path);
    ASSERT_TRUE(file.write(bytes));
    file.finish();
    file.give_name();
  }

  TemporaryDirectory folder;
  const std::string path = folder / "text", lock = folder / "text.gloss-lock.partial";
};

TEST_F(WithoutLocks, ASecondWriterIsRefusedWithTheNameOfTheFirst) {
  {
    ExclusiveFile first(path);
    for (const std::string& message : {refusal<ExclusiveFile>(path), refusal<ResumableFile>(path)}) {
      EXPECT_TRUE(has(message, concat("process ", getpid()))) << message;
      EXPECT_TRUE(has(message, lock)) << message;
    }
    const ExclusiveFile other(folder / "text2");
    ASSERT_TRUE(first.write("first"));
    first.finish();
    first.give_name();
    EXPECT_EQ(refusal<ExclusiveFile>(path), "");
  }
  EXPECT_EQ(folder.read("text"), "first");
  {
    const ResumableFile resumable(path);
    EXPECT_NE(refusal<ResumableFile>(path), "");
  }
  EXPECT_FALSE(fs::exists(lock));
  write("second");
  EXPECT_EQ(folder.read("text"), "second");
  EXPECT_EQ(names_in(folder.path()).size(), 2u) << "text and text.partial";
}

TEST_F(WithoutLocks, ALockFileIsRemovedAtASignalOnlyWhileItIsHeld) {
  {
    const ExclusiveFile file(path);
    ASSERT_TRUE(fs::exists(lock));
    remove_short_lived_paths();
    EXPECT_FALSE(fs::exists(lock));
  }
  { const ExclusiveFile file(path); }
  folder.write("text.gloss-lock.partial", "node7 4711 123 other-boot/pid:[1]\n");
  remove_short_lived_paths();
  EXPECT_TRUE(fs::exists(lock)) << "of another process";
}

TEST_F(WithoutLocks, OneOfManyWritersThatStartTogetherWins) {
  fs::create_directory(folder / "made");
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(winners_of_race(4, [&] { return std::make_unique<ExclusiveFile>(path); }), 1);
    EXPECT_EQ(winners_of_race(4,
                              [&] {
                                return std::make_unique<ExclusiveDirectory>(folder / "made",
                                                                            std::vector<std::string>{"a"});
                              }),
              1);
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"made"});
  EXPECT_EQ(names_in(folder / "made").size(), 0u);
}

TEST_F(WithoutLocks, OneOfManyWritersTakesOverWhatAKilledOneLeft) {
  for (int round = 0; round < 50; ++round) {
    killed_after([&] {
      ExclusiveFile file(path);
      file.write("half");
      raise(SIGKILL);
    });
    ASSERT_EQ(names_in(folder.path()).size(), 2u);
    const int winners = winners_of_race(
        4, [&] { return std::make_unique<ExclusiveFile>(path); },
        [](ExclusiveFile& file) {
          EXPECT_TRUE(file.write("whole"));
          file.finish();
          file.give_name();
        });
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(folder.read("text"), "whole");
    ASSERT_EQ(names_in(folder.path()).size(), 2u) << "the temporary file of the killed one stays";
    for (const std::string& name : names_in(folder.path())) fs::remove(folder / name);
  }
}

TEST_F(WithoutLocks, LockFilesOfOtherMachinesStay) {
  for (const std::string text : {"node7 12 345 other-boot/pid:[1]\n", "node7 12 - -\n", "node7 12 3", ""}) {
    folder.write("text.gloss-lock.partial", text);
    for (const std::string& message : {refusal<ExclusiveFile>(path), refusal<ResumableFile>(path)}) {
      EXPECT_TRUE(has(message, lock)) << message;
      EXPECT_EQ(has(message, "process 12 on node7"), text.ends_with('\n')) << message;
    }
    EXPECT_EQ(folder.read("text.gloss-lock.partial"), text);
  }
  EXPECT_FALSE(fs::exists(path));
  fs::remove(lock);
  write("new");
  EXPECT_EQ(folder.read("text"), "new");
}

TEST_F(WithoutLocks, AProcessIsKnownByItsStartToo) {
  std::string text;
  {
    const ExclusiveFile file(path);
    text = folder.read("text.gloss-lock.partial");
  }
  std::vector<std::string> words = split(text, ' ');
  ASSERT_EQ(words.size(), 4u) << text;
  folder.write("text.gloss-lock.partial", text);
  EXPECT_NE(refusal<ExclusiveFile>(path), "") << "this process lives";
  words[2] = "1";  // an earlier process had its number
  folder.write("text.gloss-lock.partial", join(words, " "));
  write("new");
  EXPECT_EQ(names_in(folder.path()).size(), 1u);
}

TEST_F(WithoutLocks, AnUnfinishedTakeoverIsNamed) {
  killed_after([&] {
    const ExclusiveFile file(path);
    raise(SIGKILL);
  });
  const std::string taking = folder.write("text.gloss-takeover.partial", "node7 12 345 -\n");
  EXPECT_TRUE(has(refusal<ExclusiveFile>(path), taking)) << refusal<ExclusiveFile>(path);
  EXPECT_TRUE(fs::exists(lock));
  fs::remove(taking);
  write("new");
  EXPECT_EQ(names_in(folder.path()).size(), 2u) << "the other may be in use by a process that has locks";
}

TEST_F(WithoutLocks, ALockFileThatWasReplacedStays) {
  {
    const ExclusiveFile file(path);
    fs::remove(lock);
    folder.write("text.gloss-lock.partial", "node7 12 345 -\n");
  }
  EXPECT_EQ(folder.read("text.gloss-lock.partial"), "node7 12 345 -\n");
}

TEST_F(WithoutLocks, DirectoriesAreExchangedAndLeftoversStay) {
  const std::string target = folder / "made", inside = target + "/.gloss-lock.partial";
  const std::vector<std::string> own{"a", "b"};
  fs::create_directory(target);
  folder.write("made/notes", "by hand");
  killed_after([&] {
    const ExclusiveDirectory directory(target, own);
    ExclusiveFile file(directory.path() + "/a");
    raise(SIGKILL);
  });
  EXPECT_TRUE(fs::exists(inside));
  {
    ExclusiveDirectory directory(target, own);
    const std::string message = refusal<ExclusiveDirectory>(target, own);
    EXPECT_TRUE(has(message, concat("process ", getpid())) && has(message, inside)) << message;
    write_file(directory.path() + "/a", "new");
    directory.give_name();
  }
  EXPECT_EQ(folder.read("made/a"), "new");
  EXPECT_EQ(folder.read("made/notes"), "by hand");
  EXPECT_EQ(names_in(target).size(), 2u);
  EXPECT_EQ(names_in(folder.path()).size(), 2u) << "the other may be in use by a process that has locks";
  { const ExclusiveDirectory unused(folder / "unused", own); }
  EXPECT_FALSE(fs::exists(folder / "unused"));
}

TEST_F(WithoutLocks, TemporaryFilesOfOthersStay) {
  const std::string other = temporary_name(path, 7);
  write_file(other, "of a process that has locks");
  write("own");
  EXPECT_EQ(read_file(other), "of a process that has locks");
  EXPECT_EQ(folder.read("text"), "own");
}

TEST_F(WithoutLocks, ALockFileExcludesAProcessThatHasLocks) {
  folder.write("text.gloss-lock.partial", "node7 12 345 -\n");
  file_systems_have_locks = true;
  const std::vector<std::string> names = names_in(folder.path());
  for (const std::string& message : {refusal<ExclusiveFile>(path), refusal<ResumableFile>(path)}) {
    EXPECT_TRUE(has(message, "process 12 on node7") && has(message, lock)) << message;
  }
  EXPECT_EQ(names_in(folder.path()), names) << "a writer that is refused leaves nothing";
}

TEST(WriterLock, OfTheSystemNeedsNoFile) {
  const TemporaryDirectory folder;
  const ExclusiveFile file(folder / "text");
  EXPECT_FALSE(fs::exists(folder / "text.gloss-lock.partial"));
}

}  // namespace
}  // namespace gloss
