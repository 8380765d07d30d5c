// SPDX-License-Identifier: Apache-2.0

#include "base/short_lived_directory.h"

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/files.h"

namespace gloss {
namespace {

constexpr std::string_view kPrefix = "gloss-", kRandom = "XXXXXX";

void remove_quietly(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

/// Removes the directories that nobody has locked: the programs that created them were killed.
void remove_leftovers(const std::string& folder) {
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kRandom.size()) continue;
    const std::string path = concat(folder, "/", name);
    const OpenDirectory directory(path);
    if (directory.is_open() && directory.lock()) remove_quietly(path);
  }
}

}  // namespace

ShortLivedDirectory::ShortLivedDirectory(const std::string& folder) {
  remove_leftovers(folder);
  struct stat status {};
  do {
    path_ = concat(folder, "/", kPrefix, kRandom);
    if (::mkdtemp(path_.data()) == nullptr) {
      throw Error(concat("cannot create a temporary directory in ", folder, ": ", system_message()));
    }
    lock_ = OpenDirectory(path_);
    // Another program may have taken it for a leftover before it was locked.
  } while (!lock_.is_open() || !lock_.lock() || ::stat(path_.c_str(), &status) != 0);
}

ShortLivedDirectory::ShortLivedDirectory(ShortLivedDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ShortLivedDirectory::~ShortLivedDirectory() {
  if (!path_.empty()) remove_quietly(path_);
}

bool ShortLivedDirectory::keep_as(const std::string& path) {
  if (std::rename(path_.c_str(), path.c_str()) == 0) {
    path_.clear();
    return true;
  }
  if (errno == EEXIST || errno == ENOTEMPTY) return false;
  throw Error(concat("cannot rename ", path_, " to ", path, ": ", system_message()));
}

}  // namespace gloss
