// SPDX-License-Identifier: Apache-2.0

#include "base/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(Paths, OfFilesAndFolders) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("file", "a");
  std::filesystem::create_symlink("file", folder / "link");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  for (const std::string& path : {file, folder / "link"})
    EXPECT_TRUE(path_exists(path) && is_file(path) && !is_folder(path)) << path;
  EXPECT_TRUE(path_exists(folder.path()) && !is_file(folder.path()) && is_folder(folder.path()));
  for (const std::string& path : {folder / "none", folder / "dangling", file + "/in_a_file", std::string()})
    EXPECT_FALSE(path_exists(path) || is_file(path) || is_folder(path)) << path;
}

TEST(Paths, ThatTheSystemRefusesAreNoErrors) {
  const TemporaryDirectory folder;
  const std::string too_long = folder / std::string(300, 'a'), circle = folder / "circle";
  std::filesystem::create_symlink(circle, circle);
  EXPECT_FALSE(path_exists(too_long) || is_file(too_long) || is_folder(too_long));
  EXPECT_FALSE(is_file(circle) || is_folder(circle));
  EXPECT_TRUE(path_exists(circle)) << "reading it says that links are in a circle";
  EXPECT_EQ(plain_path(folder.path() + "/x/../" + std::string(300, 'a')), too_long);
  EXPECT_EQ(plain_path(folder.path() + "/./circle"), circle);
}

TEST(Paths, ArePlainWithoutLinks) {
  const TemporaryDirectory folder;
  std::filesystem::create_symlink(".", folder / "here");
  const std::string whole = std::filesystem::canonical(folder.path()).string();
  EXPECT_EQ(plain_path(folder / "here/./here/new"), whole + "/new");
}

}  // namespace
}  // namespace gloss
