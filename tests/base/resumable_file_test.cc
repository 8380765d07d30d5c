// SPDX-License-Identifier: Apache-2.0
#include "base/resumable_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/exclusive_file.h"
#include "base/files.h"
#include "tests/support/has.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

template <class File>
std::string refusal_of(const std::string& path) {
  try {
    const File file(path);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ResumableFile, IsContinuedAndReplacesTheFileWithItsMode) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("text", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  {
    ResumableFile file(path);
    ASSERT_TRUE(file.write("one, "));
  }
  EXPECT_EQ(folder.read("text"), "old");
  EXPECT_EQ(folder.read("text.partial"), "one, ");
  ResumableFile file(path);
  EXPECT_EQ(file.size(), 5);
  file.continue_after({5, checksum("one, ")});
  ASSERT_TRUE(file.write("two"));
  EXPECT_EQ(file.written().bytes, 8);
  EXPECT_EQ(file.written().sum, checksum("one, two"));
  EXPECT_TRUE(has(refusal_of<ResumableFile>(path), "another process"));
  file.finish();
  file.give_name();
  EXPECT_EQ(folder.read("text"), "one, two");
  EXPECT_FALSE(fs::exists(path + ".partial"));
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(ResumableFile, IsContinuedOnlyAfterWhatItBeginsWith) {
  const TemporaryDirectory folder;
  const std::string path = folder / "text", text(3 << 20, 'x');
  folder.write("text.partial", text + "and more");
  const FileStart wrong_sum{std::ssize(text), checksum("x")}, longer{1 << 24, checksum(text + "and more")};
  for (const FileStart& start : {wrong_sum, longer}) {
    ResumableFile file(path);
    EXPECT_THROW(file.continue_after(start), InputError);
    EXPECT_EQ(folder.read("text.partial"), text + "and more");
  }
  ResumableFile file(path);
  file.continue_after({std::ssize(text), checksum(text)});
  EXPECT_EQ(folder.read("text.partial"), text);
  ASSERT_TRUE(file.write("."));
  EXPECT_EQ(folder.read("text.partial"), text + ".");
  EXPECT_EQ(file.written().sum, checksum(text + "."));
}

TEST(ResumableFile, FollowsLinks) {
  const TemporaryDirectory folder;
  fs::create_directory(folder / "other");
  folder.write("other/text", "old");
  fs::create_symlink("other/text", folder / "link");
  ResumableFile file(folder / "link");
  EXPECT_TRUE(fs::exists(folder / "other/text.partial"));
  ASSERT_TRUE(file.write("new"));
  file.finish();
  file.give_name();
  EXPECT_EQ(folder.read("other/text"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

TEST(ResumableFile, TheNameGoesToNoOtherFile) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("text", "old");
  ResumableFile first(path);
  ASSERT_TRUE(first.write("first"));
  fs::remove(path + ".partial");
  {
    ResumableFile second(path);
    first.finish();
    try {
      first.give_name();
      FAIL() << "the second file got the name";
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.what(), path + ".partial") && has(error.what(), path + ".rescued"))
          << error.what();
    }
    first.keep_incomplete();
    EXPECT_EQ(folder.read("text"), "old");
    EXPECT_EQ(folder.read("text.rescued"), "first");
    EXPECT_THROW(first.give_name(), Error);
    EXPECT_EQ(folder.read("text.rescued-2"), "first") << "what was rescued before stays";
    ASSERT_TRUE(second.write("second"));
    second.finish();
    second.give_name();
  }
  EXPECT_EQ(folder.read("text"), "second");
}

TEST(ResumableFile, AnEmptyFileOfAnotherIsNotRemoved) {
  const TemporaryDirectory folder;
  ResumableFile first(folder / "text");
  fs::remove(folder / "text.partial");
  const ResumableFile second(folder / "text");
  first.keep_incomplete();
  EXPECT_TRUE(fs::exists(folder / "text.partial"));
}

TEST(ResumableFile, RefusesLinksThatLeadNowhereAndPlantedOnes) {
  const TemporaryDirectory folder;
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_TRUE(has(refusal_of<ResumableFile>(folder / "dangling"), "is a link"));
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  const std::string victim = folder.write("victim", "precious");
  fs::create_symlink(victim, folder / "text.partial");
  EXPECT_NE(refusal_of<ResumableFile>(folder / "text"), "");
  EXPECT_EQ(folder.read("victim"), "precious");
}

TEST(ResumableFile, RefusesLinksOfOthersInFoldersThatAllMayWriteTo) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes links of others";
  if (read_file("/proc/sys/fs/protected_symlinks") != "1\n") GTEST_SKIP() << "the kernel allows such links";
  constexpr uid_t kOther = 54321;
  const TemporaryDirectory folder;
  const std::string shared = folder / "shared", link = shared + "/text";
  const std::string victim = folder.write("victim", "precious");
  fs::create_directory(shared);
  ASSERT_EQ(chmod(shared.c_str(), 01777), 0);
  fs::create_symlink(victim, link);
  ASSERT_EQ(lchown(link.c_str(), kOther, kOther), 0);
  EXPECT_TRUE(has(refusal_of<ExclusiveFile>(link), "is a link"));
  EXPECT_TRUE(has(refusal_of<ResumableFile>(link), "is a link"));
  EXPECT_FALSE(fs::exists(victim + ".partial"));
}

}  // namespace
}  // namespace gloss
