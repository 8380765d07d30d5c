// SPDX-License-Identifier: Apache-2.0

#include "base/paths.h"

#include <sys/stat.h>

#include <filesystem>

namespace gloss {

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool lies_in(const std::string& path, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (!fs::is_directory(directory, unknown)) return false;
  fs::path at = fs::weakly_canonical(fs::absolute(path), unknown);
  while (at.has_relative_path() && !fs::equivalent(at, directory, unknown)) at = at.parent_path();
  return fs::equivalent(at, directory, unknown);
}

bool same_file(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace gloss
