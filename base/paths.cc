// SPDX-License-Identifier: Apache-2.0

#include "base/paths.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "base/same_inode.h"

namespace gloss {

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool path_exists(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return true;
  return errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
}

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string plain_path(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path plain = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? std::filesystem::path(path).lexically_normal().string() : plain.string();
}

bool lies_in(const std::string& path, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (!is_folder(directory)) return false;
  fs::path at = fs::absolute(plain_path(path), unknown);
  while (at.has_relative_path() && !fs::equivalent(at, directory, unknown)) at = at.parent_path();
  return fs::equivalent(at, directory, unknown);
}

bool same_file(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && same_inode(open, named);
}

}  // namespace gloss
