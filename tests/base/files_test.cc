// SPDX-License-Identifier: Apache-2.0

#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/output.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

TEST(Output, AFileGetsItsNameOnlyWhenItIsComplete) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("text", "before\n");
  {
    Output output(path);
    output.line("after");
    output.flush();
    EXPECT_EQ(directory.read("text"), "before\n");
    output.close();
  }
  EXPECT_EQ(directory.read("text"), "after\n");
  EXPECT_EQ(names_in(directory.path()).size(), 1u);
}

TEST(Output, AFailedRunKeepsTheOldFileAndThePartialOne) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("text", "before\n");
  {
    Output output(path);
    output.line("half");
    output.flush();
  }
  EXPECT_EQ(directory.read("text"), "before\n");
  EXPECT_EQ(directory.read("text.partial"), "half\n");
}

TEST(Output, ALinkStaysALinkAndADeviceIsWrittenDirectly) {
  const TemporaryDirectory directory;
  directory.write("real", "before\n");
  fs::create_symlink("real", directory / "link");
  Output through(directory / "link");
  through.line("after");
  through.close();
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(directory.read("real"), "after\n");

  Output null("/dev/null");
  null.line("gone");
  null.close();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(Output, AFullDiskIsReported) {
  Output full("/dev/full");
  full.line("x");
  EXPECT_THROW(full.flush(), Error);
}

TEST(Output, AMissingFolderIsReportedAtOnce) {
  const TemporaryDirectory directory;
  EXPECT_THROW(Output(directory / "missing/text"), Error);
}

TEST(AtomicFile, LeavesTheOldFileUntilItIsCommitted) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("file", "old");
  {
    AtomicFile file(path);
    file.write(std::string_view("new"));
  }
  EXPECT_EQ(directory.read("file"), "old");
  EXPECT_EQ(names_in(directory.path()).size(), 1u);
  write_file(path, "new");
  EXPECT_EQ(directory.read("file"), "new");
}

TEST(AtomicFiles, AppearTogether) {
  const TemporaryDirectory directory;
  directory.write("first", "old");
  {
    AtomicFiles files;
    files.open(directory / "first").write(std::string_view("new"));
    EXPECT_THROW(files.open(directory / "missing/second"), Error);
  }
  EXPECT_EQ(directory.read("first"), "old");
  EXPECT_EQ(names_in(directory.path()).size(), 1u);
  AtomicFiles files;
  files.open(directory / "first").write(std::string_view("new"));
  files.open(directory / "second").write(std::string_view("too"));
  EXPECT_FALSE(fs::exists(directory / "second"));
  files.commit();
  EXPECT_EQ(directory.read("first") + directory.read("second"), "newtoo");
  EXPECT_EQ(names_in(directory.path()).size(), 2u);
}

TEST(AtomicFile, APipeIsWrittenDirectlyAndALinkStaysALink) {
  const TemporaryDirectory directory;
  directory.write("real", "before");
  fs::create_symlink("real", directory / "link");
  write_file(directory / "link", "after");
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(directory.read("real"), "after");

  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream from(pipe);
    std::getline(from, received);
  });
  write_file(pipe, "through\n");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(pipe)) << "a pipe must not be replaced by a file";
}

TEST(ReplaceLink, CreatesAndReplacesLinks) {
  const TemporaryDirectory directory;
  directory.write("one", "1");
  directory.write("two", "2");
  replace_link("one", directory / "link");
  EXPECT_EQ(directory.read("link"), "1");
  replace_link("two", directory / "link");
  EXPECT_EQ(directory.read("link"), "2");
}

}  // namespace
}  // namespace gloss
