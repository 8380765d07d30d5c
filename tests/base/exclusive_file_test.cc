// SPDX-License-Identifier: Apache-2.0

#include "base/exclusive_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/file_to_write.h"
#include "base/files.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/writers_race.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

unsigned mode_of_target(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

/// The message of the Error that opening `path` throws.
std::string refusal_to_open(const std::string& path) {
  try {
    ExclusiveFile file(path);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << path << " was opened";
  return "";
}

void write_through(const std::string& path, const std::string& text) {
  ExclusiveFile file(path);
  ASSERT_TRUE(file.write(text));
  file.finish();
  file.give_name();
}

TEST(ExclusiveFile, ASecondWriterIsRefused) {
  const TemporaryDirectory folder;
  const std::string path = folder / "text";
  {
    const ExclusiveFile first(path);
    EXPECT_NE(refusal_to_open(path).find(path), std::string::npos);
    const ExclusiveFile other(folder / "text2");  // another file of the same folder
  }
  EXPECT_EQ(names_in(folder.path()).size(), 0u);
  write_through(path, "then");
  EXPECT_EQ(folder.read("text"), "then");
}

TEST(ExclusiveFile, OneOfManyWritersThatStartTogetherWins) {
  const TemporaryDirectory folder;
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(winners_of_race(4, [&] { return std::make_unique<ExclusiveFile>(folder / "text"); }), 1);
  }
  EXPECT_EQ(names_in(folder.path()).size(), 0u);
}

TEST(ExclusiveFile, RemovesWhatAKilledWriterLeftAndNothingElse) {
  const TemporaryDirectory folder;
  const std::string path = folder / "text";
  const pid_t child = fork();
  if (child == 0) {
    ExclusiveFile file(path);
    file.write("half");
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(names_in(folder.path()).size(), 1u);
  const std::string mine = folder.write("text.gloss-notes.partial", "mine");
  write_through(path, "whole");
  EXPECT_EQ(names_in(folder.path()).size(), 2u);
  EXPECT_EQ(folder.read("text"), "whole");
  EXPECT_TRUE(fs::exists(mine));
}

TEST(ExclusiveFile, KeepsTheModeOfTheFileThatItReplaces) {
  const TemporaryDirectory folder;
  for (const unsigned mode : {0600U, 0640U, 0666U, 0755U}) {
    const std::string path = folder.write("text", "old");
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    write_through(path, "new");
    EXPECT_EQ(mode_of_target(path), mode);
  }
  const mode_t mask = umask(027);
  write_through(folder / "fresh", "new");
  umask(mask);
  EXPECT_EQ(mode_of_target(folder / "fresh"), 0640u);
}

TEST(ExclusiveFile, WritesThroughNothingThatOthersPlanted) {
  const TemporaryDirectory folder;
  const std::string path = folder / "text", victim = folder.write("victim", "precious");
  fs::create_symlink(victim, path + ".partial");
  write_through(path, "new");
  EXPECT_EQ(folder.read("victim"), "precious");
  {
    ExclusiveFile incomplete(path);
    incomplete.write("half");
    incomplete.keep_incomplete();
  }
  EXPECT_EQ(folder.read("victim"), "precious") << "the link itself is replaced";
  EXPECT_EQ(folder.read("text.partial"), "half");
  EXPECT_EQ(folder.read("text"), "new");
}

TEST(ExclusiveFile, RefusesWhatIsNoFile) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "folder");
  EXPECT_NE(refusal_to_open(folder / "folder").find("is a directory"), std::string::npos);
  fs::create_symlink("folder", folder / "to_folder");
  EXPECT_NE(refusal_to_open(folder / "to_folder").find("to_folder"), std::string::npos);
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_NE(refusal_to_open(folder / "dangling").find("link"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
}

TEST(ExclusiveFile, WritesToDevicesAndOpenDescriptors) {
  const TemporaryDirectory folder;
  write_through("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  // As a shell's '> text' with something written before.
  const std::string path = folder / "text";
  const int open_file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_TRUE(write_all(open_file, "before\n"));
  write_through("/dev/fd/" + std::to_string(open_file), "after\n");
  close(open_file);
  EXPECT_EQ(folder.read("text"), "before\nafter\n");
}

TEST(ExclusiveFile, TheNameGoesToNoOtherFile) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("text", "old");
  ExclusiveFile file(path);
  ASSERT_TRUE(file.write("new"));
  for (const std::string& name : names_in(folder.path())) {
    if (name != "text") folder.write(name + ".other", "foreign");
    if (name != "text") fs::rename(folder / (name + ".other"), folder / name);
  }
  file.finish();
  EXPECT_THROW(file.give_name(), Error);
  EXPECT_EQ(folder.read("text"), "old");
}

TEST(WrittenDirectly, DependsOnTheFileAndNotOnItsFolder) {
  const TemporaryDirectory folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  for (const std::string& path :
       {std::string("-"), std::string("/dev/stdout"), std::string("/dev/fd/1"),
        std::string("/proc/self/fd/2"), std::string("/dev/null"), folder / "pipe", folder / "link"}) {
    EXPECT_TRUE(written_directly(path)) << path;
  }
  folder.write("text", "");
  for (const std::string& path : {folder / "text", folder / "missing", std::string("/dev/shm/no-such-file"),
                                  concat("/proc/self/cwd/", "no-such-file"), std::string("/dev/fd/text")}) {
    EXPECT_FALSE(written_directly(path)) << path;
  }
}

TEST(ExclusiveFile, ALongNameHasATemporaryNameToo) {
  const TemporaryDirectory folder;
  const std::string name(255, 'n');
  write_through(folder / name, "text");
  EXPECT_EQ(folder.read(name), "text");
}

}  // namespace
}  // namespace gloss
