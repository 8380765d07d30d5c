// SPDX-License-Identifier: Apache-2.0

#include "base/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files_in_use.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(MappedFile, RefusesMissingFilesAndFolders) {
  const TemporaryDirectory directory;
  EXPECT_THROW(MappedFile(directory / "missing"), InputError);
  EXPECT_THROW(MappedFile(directory.path()), InputError);
  EXPECT_EQ(MappedFile(directory.write("empty", "")).bytes().size(), 0u);
}

TEST(MappedFile, HasContent) {
  const TemporaryDirectory directory;
  const std::string text(100'000, 'x');
  const MappedFile file(directory.write("file", text));
  EXPECT_EQ(file.text(), text);
}

[[noreturn]] void end_with_check() {
  try {
    expect_unchanged_files();
  } catch (const InputError& error) {
    std::cerr << error.what();
    std::exit(3);
  }
  std::exit(0);
}

/// Maps a file, changes it, reads it, and ends with status 0 if nobody notices.
void change_while_mapped(const std::string& path, const std::function<void()>& change, bool unmaps) {
  {
    const MappedFile file(path);
    const MappedFile other(path + ".other");
    change();
    if (!unmaps) {
      std::size_t zeros = 0;
      for (const std::byte byte : file.bytes()) zeros += byte == std::byte(0) ? 1 : 0;
      std::cerr << zeros << " zeros\n";
      end_with_check();
    }
  }
  end_with_check();
}

TEST(MappedFile, AChangeInPlaceIsNoticed) {
  const TemporaryDirectory directory;
  const std::string text(100'000, 'x'), path = directory.write("file", text);
  directory.write("file.other", text);
  const std::string name = "/file was";
  const auto nothing = [] {};
  const auto cut = [&] { std::filesystem::resize_file(path, 10); };
  const auto overwrite = [&] { std::ofstream(path) << text; };
  const auto replace = [&] {
    directory.write("new", text);
    std::filesystem::rename(directory / "new", path);
  };
  for (const bool unmaps : {false, true}) {
    EXPECT_EXIT(change_while_mapped(path, nothing, unmaps), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(change_while_mapped(path, replace, unmaps), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(change_while_mapped(path, overwrite, unmaps), testing::ExitedWithCode(3), name);
    directory.write("file", text);
  }
  EXPECT_EXIT(change_while_mapped(path, cut, true), testing::ExitedWithCode(3), name);
}

TEST(MappedFile, IsKnownByItsAddresses) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("file", std::string(100'000, 'x'));
  std::optional<MappedFile> file(path);
  const std::byte* const begin = file->bytes().data();
  EXPECT_STREQ(mapped_path_at(begin), path.c_str());
  EXPECT_STREQ(mapped_path_at(begin + 99'999), path.c_str());
  EXPECT_EQ(mapped_path_at(&path), nullptr);
  file.reset();
  EXPECT_EQ(mapped_path_at(begin), nullptr);
}

}  // namespace
}  // namespace gloss
