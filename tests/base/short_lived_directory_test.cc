// SPDX-License-Identifier: Apache-2.0

#include "base/short_lived_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/short_lived_path.h"
#include "base/temporary_name.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// A leftover as a killed program leaves it, with these files.
std::string leave(const TemporaryDirectory& folder, const std::string& name,
                  const std::vector<std::string>& files) {
  const std::string path = temporary_name(folder / name, system_random());
  fs::create_directory(path);
  fs::permissions(path, fs::perms::owner_all);
  for (const std::string& file : files) write_file(concat(path, "/", file), "1");
  return path;
}

TEST(ShortLivedDirectory, IsPrivateAndRemovedWithItsFiles) {
  const TemporaryDirectory folder;
  {
    const ShortLivedDirectory directory(folder / "", "name", {"a", "b"});
    EXPECT_EQ(fs::status(directory.path()).permissions(), fs::perms::owner_all);
    write_file(directory.path() + "/b", "1");
  }
  EXPECT_TRUE(names_in(folder / "").empty());
}

TEST(ShortLivedDirectory, LeavesFilesThatAreNotItsOwn) {
  const TemporaryDirectory folder;
  std::string path;
  {
    const ShortLivedDirectory directory(folder / "", "name", {"a"});
    path = directory.path();
    write_file(path + "/a", "1");
    write_file(path + "/thesis", "1");
  }
  EXPECT_EQ(names_in(path), std::vector<std::string>{"thesis"});
}

TEST(ShortLivedDirectory, RemovesWhatAKilledProgramLeft) {
  const TemporaryDirectory folder;
  const ShortLivedDirectory in_use(folder / "", "name", {"a"});
  const std::string killed = leave(folder, "name", {"a", "a.gloss-0123456789abcdef.partial"});
  const ShortLivedDirectory other(folder / "", "name", {"a"});
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_FALSE(fs::exists(killed));
}

TEST(ShortLivedDirectory, RemovesNothingOfOthers) {
  const TemporaryDirectory folder;
  const std::string with_more = leave(folder, "name", {"thesis"}), of_others = leave(folder, "other", {"a"}),
                    shared = leave(folder, "name", {"a"}), elsewhere = leave(folder, "elsewhere", {"a"});
  fs::permissions(shared, fs::perms::owner_all | fs::perms::group_read);
  const std::string link = temporary_name(folder / "name", 1);
  fs::create_directory_symlink(elsewhere, link);
  fs::create_directory(folder / "gloss-abcdef");
  folder.write("gloss-abcdef/thesis", "1");
  { const ShortLivedDirectory directory(folder / "", "name", {"a"}); }
  for (const std::string& file : {with_more + "/thesis", of_others + "/a", shared + "/a", elsewhere + "/a",
                                  link, folder / "gloss-abcdef/thesis"}) {
    EXPECT_TRUE(fs::exists(file)) << file;
  }
}

TEST(ShortLivedDirectory, StaysUnderAName) {
  const TemporaryDirectory folder;
  for (const bool first : {true, false}) {
    ShortLivedDirectory directory(folder / "", "name", {"a"});
    write_file(directory.path() + "/a", first ? "1" : "2");
    EXPECT_EQ(directory.keep_as(folder / "kept"), first);
  }
  EXPECT_EQ(names_in(folder / ""), std::vector<std::string>{"kept"});
  EXPECT_EQ(folder.read("kept/a"), "1");
  fs::create_directory(folder / "usual");
  EXPECT_EQ(fs::status(folder / "kept").permissions(), fs::status(folder / "usual").permissions());
  ShortLivedDirectory directory(folder / "", "name", {"a"});
  EXPECT_THROW(directory.keep_as(folder / "no/such"), Error);
}

TEST(ShortLivedDirectory, IsRemovedAtASignalUnlessItStays) {
  const TemporaryDirectory folder;
  ShortLivedDirectory kept(folder / "", "name", {"a"}), moved(folder / "", "name", {"a"});
  write_file(kept.path() + "/a", "1");
  ASSERT_TRUE(kept.keep_as(folder / "kept"));
  const ShortLivedDirectory other = std::move(moved);
  write_file(other.path() + "/a", "1");
  const std::string outside = folder.write("outside", "1");
  fs::create_symlink(outside, other.path() + "/link");
  remove_short_lived_paths();
  std::vector<std::string> names = names_in(folder / "");
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"kept", "outside"}));
  EXPECT_EQ(folder.read("kept/a"), "1");
}

TEST(ShortLivedDirectory, NeedsADirectory) {
  EXPECT_THROW(ShortLivedDirectory("/no/such", "name", {}), Error);
}

}  // namespace
}  // namespace gloss
