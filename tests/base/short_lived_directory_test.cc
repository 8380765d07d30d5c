// SPDX-License-Identifier: Apache-2.0

#include "base/short_lived_directory.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

TEST(ShortLivedDirectory, IsPrivateAndRemovedWithItsFiles) {
  const TemporaryDirectory folder;
  {
    const ShortLivedDirectory directory(folder / "");
    EXPECT_EQ(fs::status(directory.path()).permissions(), fs::perms::owner_all);
    fs::create_directory(directory.path() + "/inner");
  }
  EXPECT_TRUE(names_in(folder / "").empty());
}

TEST(ShortLivedDirectory, RemovesWhatAKilledProgramLeftAndNothingElse) {
  const TemporaryDirectory folder;
  const ShortLivedDirectory in_use(folder / "");
  fs::create_directory(folder / "gloss-abcdef");
  fs::create_directory(folder / "gloss-abcdefg");
  const ShortLivedDirectory other(folder / "");
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_FALSE(fs::exists(folder / "gloss-abcdef"));
  EXPECT_TRUE(fs::exists(folder / "gloss-abcdefg"));
}

TEST(ShortLivedDirectory, StaysUnderAName) {
  const TemporaryDirectory folder;
  for (const bool first : {true, false}) {
    ShortLivedDirectory directory(folder / "");
    folder.write(fs::path(directory.path()).filename().string() + "/a", first ? "1" : "2");
    EXPECT_EQ(directory.keep_as(folder / "kept"), first);
  }
  EXPECT_EQ(names_in(folder / ""), std::vector<std::string>{"kept"});
  EXPECT_EQ(folder.read("kept/a"), "1");
  ShortLivedDirectory directory(folder / "");
  EXPECT_THROW(directory.keep_as(folder / "no/such"), Error);
}

TEST(ShortLivedDirectory, NeedsADirectory) { EXPECT_THROW(ShortLivedDirectory("/no/such"), Error); }

}  // namespace
}  // namespace gloss
