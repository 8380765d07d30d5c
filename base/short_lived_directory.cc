// SPDX-License-Identifier: Apache-2.0

#include "base/short_lived_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/short_lived_path.h"
#include "base/temporary_name.h"

namespace gloss {
namespace {

constexpr mode_t kAllPermissions = 0777;

/// The permissions of new directories of this process.
mode_t usual_permissions() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return kAllPermissions & ~mask;
}

/// True if we made the directory: it belongs to this user and is private.
bool is_ours(const OpenDirectory& directory) {
  struct stat status {};
  return directory.status(status) && status.st_uid == ::geteuid() &&
         (status.st_mode & kAllPermissions) == S_IRWXU;
}

}  // namespace

ShortLivedDirectory::ShortLivedDirectory(const std::string& folder, const std::string& name,
                                         std::vector<std::string> own)
    : folder_path_(folder), name_(name), own_(std::move(own)), folder_(folder) {
  if (folder_.is_open()) remove_leftovers();
  // Another program may take the directory for a leftover before it is locked.
  constexpr int kAttempts = 6;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (create()) return;
  }
  throw Error(concat("cannot create a temporary directory in ", folder, ": ", system_message()));
}

/// False (errno) if the directory could not be created or is already gone.
bool ShortLivedDirectory::create() {
  const std::string path = temporary_name(concat(folder_path_, "/", name_), system_random());
  if (!create_short_lived(path, [&] { return ::mkdir(path.c_str(), S_IRWXU) == 0; })) return false;
  const std::string name = std::filesystem::path(path).filename().string();
  directory_ = folder_.directory(name);
  // Some network file systems cannot lock; there, nobody removes leftovers either.
  const bool locked = directory_.is_open() && (directory_.lock() || errno != EWOULDBLOCK);
  if (!locked || !folder_.has(name, directory_)) {
    forget_short_lived(path);
    errno = EAGAIN;
    return false;
  }
  path_ = path;
  return true;
}

ShortLivedDirectory::ShortLivedDirectory(ShortLivedDirectory&& other) noexcept
    : folder_path_(std::move(other.folder_path_)),
      name_(std::move(other.name_)),
      own_(std::move(other.own_)),
      path_(std::exchange(other.path_, {})),
      folder_(std::move(other.folder_)),
      directory_(std::move(other.directory_)) {}

ShortLivedDirectory::~ShortLivedDirectory() {
  if (path_.empty()) return;
  forget_short_lived(path_);
  remove(directory_, std::filesystem::path(path_).filename().string());
}

/// Removes the directories that nobody has locked: the programs that created them were killed.
void ShortLivedDirectory::remove_leftovers() const {
  for (const std::string& name : folder_.names()) {
    if (!is_temporary_name(name, name_)) continue;
    const OpenDirectory leftover = folder_.directory(name);
    if (leftover.is_open() && is_ours(leftover) && leftover.lock()) remove(leftover, name);
  }
}

/// Removes our files and the directory, unless it has others or has been replaced by another one.
void ShortLivedDirectory::remove(const OpenDirectory& directory, const std::string& name) const {
  for (const std::string& file : directory.names()) {
    const bool ours = std::ranges::any_of(
        own_, [&](const std::string& own) { return file == own || is_temporary_name(file, own); });
    if (ours) directory.remove_file(file);
  }
  if (folder_.has(name, directory)) folder_.remove_directory(name);
}

bool ShortLivedDirectory::keep_as(const std::string& path) {
  directory_.sync();
  forget_short_lived(path_);
  if (std::rename(path_.c_str(), path.c_str()) != 0) {
    if (errno == EEXIST || errno == ENOTEMPTY) return false;
    throw Error(concat("cannot rename ", path_, " to ", path, ": ", system_message()));
  }
  path_.clear();
  folder_.sync();
  if (::fchmod(directory_.descriptor(), usual_permissions()) != 0)
    throw Error(concat("cannot change the permissions of ", path, ": ", system_message()));
  return true;
}

}  // namespace gloss
