// SPDX-License-Identifier: Apache-2.0

#include "base/exclusive_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/temporary_name.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPermissions = 0777, kAllModeBits = 07777, kInheritedBits = 07000;

int open_directory(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool is_mount_point(const std::string& path) {
  struct statx status {};
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &status) != 0 ||
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool has_access_list(const std::string& path) {
  return std::ranges::any_of(
      std::vector{"system.posix_acl_access", "system.posix_acl_default"},
      [&](const char* name) { return ::getxattr(path.c_str(), name, nullptr, 0) > 0; });
}

/// True if nobody would miss the old directory: no process works in it as far as we know, and the new one can
/// have the same content and access.
bool can_be_exchanged(const std::string& path) {
  std::error_code unknown;
  const fs::path here = fs::current_path(unknown);
  if (unknown || fs::equivalent(path, here, unknown) || is_mount_point(path) || has_access_list(path)) {
    return false;
  }
  return std::ranges::all_of(names_in(path), [&](const std::string& name) {
    std::error_code missing;
    return fs::is_regular_file(fs::symlink_status(concat(path, "/", name), missing));
  });
}

/// True if both names mean the same file.
bool linked(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return ::lstat(a.c_str(), &first) == 0 && ::lstat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

ExclusiveDirectory::ExclusiveDirectory(const std::string& path, std::vector<std::string> own)
    : own_(std::move(own)) {
  lock(path);
  remove_leftovers();
  if (can_be_exchanged(target_)) create_replacement();
}

ExclusiveDirectory::~ExclusiveDirectory() {
  std::error_code ignored;
  if (!replacement_.empty()) fs::remove_all(replacement_, ignored);
  if (created_) ::rmdir(target_.c_str());  // fails if there is something in it
  if (replacement_lock_ >= 0) ::close(replacement_lock_);
  ::close(lock_);
}

void ExclusiveDirectory::lock(const std::string& path) {
  // Another process may exchange or remove the directory before it is locked; then the new one is tried.
  constexpr int kAttempts = 6;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::error_code error;
    created_ = !fs::exists(path, error);
    make_writable_directory(path);
    lock_ = open_directory(path);
    if (lock_ < 0 && errno == ENOENT) continue;
    if (lock_ < 0) throw Error(concat("cannot read the folder ", path, ": ", system_message()));
    // Some network file systems cannot lock; there, the files themselves are all that is exclusive.
    const bool locked = ::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    target_ = fs::canonical(path, error).string();
    if (locked && !error && same_file(lock_, target_)) return;
    ::close(std::exchange(lock_, -1));
    if (!locked) break;
  }
  throw Error(concat("cannot write ", path,
                     ": another process is writing it; wait until it ends or choose another directory"));
}

bool ExclusiveDirectory::is_own(const std::string& name) const {
  return std::ranges::any_of(
      own_, [&](const std::string& own) { return name == own || is_temporary_name(name, own); });
}

void ExclusiveDirectory::remove_leftovers() const {
  const std::string folder = folder_of(target_);
  for (const std::string& name : names_in(folder)) {
    if (!is_temporary_name(name, target_)) continue;
    const std::string leftover = concat(folder, "/", name);
    const int descriptor =
        ::open(leftover.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    const bool ours = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid();
    if (ours && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && same_file(descriptor, leftover)) {
      for (const std::string& file : names_in(leftover)) {
        const std::string path = concat(leftover, "/", file);
        if (is_own(file) || linked(path, concat(target_, "/", file))) ::unlink(path.c_str());
      }
      ::rmdir(leftover.c_str());  // fails if it has anything that we did not write
    }
    ::close(descriptor);
  }
}

/// Leaves `replacement_` empty if the directory has to be written in place.
void ExclusiveDirectory::create_replacement() {
  std::string name;
  int failure = EEXIST;
  for (int attempt = 0; attempt < 3 && failure == EEXIST; ++attempt) {
    name = temporary_name(target_, system_random());
    failure = ::mkdir(name.c_str(), S_IRWXU) == 0 ? 0 : errno;
  }
  if (failure != 0) return;
  replacement_lock_ = open_directory(name);
  struct stat old {
  }, made{};
  const bool same_owner = ::fstat(lock_, &old) == 0 && ::fstat(replacement_lock_, &made) == 0 &&
                          ((old.st_uid == made.st_uid && old.st_gid == made.st_gid) ||
                           ::fchown(replacement_lock_, old.st_uid, old.st_gid) == 0);
  if (!same_owner || old.st_dev != made.st_dev ||
      ::fchmod(replacement_lock_, S_IRWXU | (old.st_mode & kInheritedBits)) != 0) {
    ::rmdir(name.c_str());
    return;
  }
  ::flock(replacement_lock_, LOCK_EX | LOCK_NB);
  replacement_ = name;
}

void ExclusiveDirectory::give_name() {
  if (replacement_.empty()) return;
  sync_directory(replacement_);
  if (!exchange()) move_files();
  created_ = false;
}

/// Gives the new directory the files of others, as further names of the same files, and the new files the
/// permissions of the old ones. Returns false if that is not possible.
bool ExclusiveDirectory::keep_files() const {
  return std::ranges::all_of(names_in(target_), [&](const std::string& name) {
    const std::string from = concat(target_, "/", name), to = concat(replacement_, "/", name);
    struct stat old {};
    if (!is_own(name)) return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0) == 0;
    return ::lstat(from.c_str(), &old) == 0 &&
           (::chmod(to.c_str(), old.st_mode & kPermissions) == 0 || errno == ENOENT);
  });
}

bool ExclusiveDirectory::exchange() {
  struct stat old {};
  if (!keep_files() || ::fstat(lock_, &old) != 0 ||
      ::fchmod(replacement_lock_, old.st_mode & kAllModeBits) != 0 ||
      ::renameat2(AT_FDCWD, replacement_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    return false;
  }
  sync_directory(folder_of(target_));
  discard_old();
  return true;
}

/// Removes the old directory, which has the temporary name now.
void ExclusiveDirectory::discard_old() {
  const std::string directory = std::exchange(replacement_, "");
  for (const std::string& name : names_in(directory)) {
    const std::string old = concat(directory, "/", name), now = concat(target_, "/", name);
    if (is_own(name) || linked(old, now)) {
      ::unlink(old.c_str());
    } else {  // somebody saved it since the files were kept
      ::rename(old.c_str(), now.c_str());
    }
  }
  ::rmdir(directory.c_str());
}

/// The way of a file system that cannot exchange names. A crash between two renames leaves some files of the
/// old directory and some of the new one, each complete.
void ExclusiveDirectory::move_files() {
  std::vector<std::string> removed;
  for (const std::string& name : own_) {
    const std::string from = concat(replacement_, "/", name), to = concat(target_, "/", name);
    if (::rename(from.c_str(), to.c_str()) == 0) continue;
    if (errno != ENOENT) throw Error(concat("cannot write ", to, ": ", system_message()));
    removed.push_back(to);
  }
  for (const std::string& path : removed) ::unlink(path.c_str());
  sync_directory(target_);
}

}  // namespace gloss
