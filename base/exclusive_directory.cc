// SPDX-License-Identifier: Apache-2.0

#include "base/exclusive_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/temporary_name.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPermissions = 0777, kAllModeBits = 07777, kInheritedBits = 07000;

/// True if another directory can take its place unnoticed: no process works in it as far as we know, and the
/// new one can have the same content and access.
bool can_be_exchanged(const OpenDirectory& directory) {
  const OpenDirectory here(".");
  if (!here.is_open() || here.has(".", directory)) return false;
  if (directory.is_mount_point() || directory.has_access_list()) return false;
  return std::ranges::all_of(directory.names(), [&](const std::string& name) {
    struct stat status {};
    return directory.status(name, status) && S_ISREG(status.st_mode);
  });
}

/// Throws Error if `path` is another directory by now, or missing.
void expect_place(const OpenDirectory& directory, const std::string& path) {
  if (same_file(directory.descriptor(), path)) return;
  throw Error(
      concat("cannot write ", path,
             ": it was removed or replaced while its files were written; run the same command again"));
}

}  // namespace

// After the first constructor, the destructor runs even if the rest fails.
ExclusiveDirectory::ExclusiveDirectory(const std::string& path, std::vector<std::string> own)
    : ExclusiveDirectory(std::move(own)) {
  lock(path);
  parent_ = OpenDirectory(folder_of(target_));
  remove_leftovers();
  if (can_be_exchanged(old_)) create_replacement();
}

ExclusiveDirectory::~ExclusiveDirectory() {
  if (!replacement_.empty()) {
    for (const std::string& name : new_.names()) new_.remove_file(name);
    parent_.remove_directory(name_of_replacement());
  }
  lock_.release();
  // Fails if there is something in it.
  if (created_ && same_file(old_.descriptor(), target_)) ::rmdir(target_.c_str());
}

void ExclusiveDirectory::lock(const std::string& path) {
  // Another process may exchange or remove the directory before it is locked; then the new one is tried.
  constexpr int kAttempts = 6;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::error_code error;
    const bool missing = !fs::exists(path, error);
    make_writable_directory(path);
    old_ = OpenDirectory(path);
    if (!old_.is_open() && errno == ENOENT) continue;
    if (!old_.is_open()) throw Error(concat("cannot read the directory ", path, ": ", system_message()));
    target_ = fs::canonical(path, error).string();
    const bool locked = error || lock_.take(old_.descriptor(), target_ + "/");
    if (locked && !error && same_file(old_.descriptor(), target_)) {
      created_ = missing;
      return;
    }
    old_.close();
    lock_.release();
    if (!locked) throw Error(concat("cannot write ", path, ": ", lock_.refusal("another directory")));
  }
  throw Error(concat("cannot write ", path,
                     ": the directory was removed after it was opened; go to a directory that exists, or "
                     "name another one"));
}

bool ExclusiveDirectory::is_own(const std::string& name) const {
  return std::ranges::any_of(own_, [&](const std::string& own) {
    return name == own || is_temporary_name(name, own) || is_lock_name(name, own);
  });
}

std::string ExclusiveDirectory::name_of_replacement() const {
  return fs::path(replacement_).filename().string();
}

void ExclusiveDirectory::remove_leftovers() const {
  for (const std::string& name : parent_.names()) {
    if (!is_temporary_name(name, target_)) continue;
    const OpenDirectory leftover = parent_.directory(name);
    struct stat status {};
    if (!leftover.is_open() || !leftover.status(status) || status.st_uid != ::geteuid()) continue;
    if (!leftover.lock() || !parent_.has(name, leftover)) continue;
    for (const std::string& file : leftover.names()) {
      if (is_own(file) || linked(leftover, old_, file)) leftover.remove_file(file);
    }
    parent_.remove_directory(name);  // fails if it has anything that we did not write
  }
}

/// Leaves `replacement_` empty if the directory has to be written in place.
void ExclusiveDirectory::create_replacement() {
  std::string path, name;
  int failure = EEXIST;
  for (int attempt = 0; attempt < 3 && failure == EEXIST; ++attempt) {
    path = temporary_name(target_, system_random());
    name = fs::path(path).filename().string();
    failure = ::mkdirat(parent_.descriptor(), name.c_str(), S_IRWXU) == 0 ? 0 : errno;
  }
  if (failure != 0) return;
  OpenDirectory made = parent_.directory(name);
  struct stat old {
  }, status{};
  // Whoever owns the folder may have put something else in its place.
  const bool usable = made.is_open() && old_.status(old) && made.status(status) &&
                      status.st_uid == ::geteuid() && old.st_uid == status.st_uid &&
                      old.st_gid == status.st_gid && old.st_dev == status.st_dev && made.names().empty();
  if (!usable || ::fchmod(made.descriptor(), S_IRWXU | (old.st_mode & kInheritedBits)) != 0) {
    parent_.remove_directory(name);
    return;
  }
  made.lock();
  new_ = std::move(made);
  replacement_ = path;
}

void ExclusiveDirectory::give_name() {
  expect_place(old_, target_);
  if (replacement_.empty()) return;
  if (!exchange()) move_files();
  created_ = false;
}

/// Gives the new files the permissions of the old ones, and the new directory the files of others, as further
/// names of the same files. Returns false if that is not possible.
bool ExclusiveDirectory::keep_files() const {
  bool kept = true;
  std::vector<std::string> of_others;
  for (const std::string& name : old_.names()) {
    struct stat old {};
    if (!is_own(name)) {
      of_others.push_back(name);
    } else if (!old_.status(name, old) ||
               (::fchmodat(new_.descriptor(), name.c_str(), old.st_mode & kPermissions, 0) != 0 &&
                errno != ENOENT)) {
      kept = false;
    }
  }
  return kept && std::ranges::all_of(of_others, [&](const std::string& name) {
           return ::linkat(old_.descriptor(), name.c_str(), new_.descriptor(), name.c_str(), 0) == 0;
         });
}

bool ExclusiveDirectory::exchange() {
  struct stat old {};
  if (!keep_files() || !old_.status(old) || ::fchmod(new_.descriptor(), old.st_mode & kAllModeBits) != 0) {
    return false;
  }
  new_.sync();
  if (::renameat2(parent_.descriptor(), name_of_replacement().c_str(), parent_.descriptor(),
                  fs::path(target_).filename().c_str(), RENAME_EXCHANGE) != 0) {
    return false;
  }
  parent_.sync();
  discard_old();
  return true;
}

/// Removes the old directory, which has the temporary name now.
void ExclusiveDirectory::discard_old() {
  for (const std::string& name : old_.names()) {
    if (is_own(name) || linked(old_, new_, name)) {
      old_.remove_file(name);
    } else {  // somebody saved it since the files were kept
      old_.move_file(name, new_);
    }
  }
  parent_.remove_directory(name_of_replacement());
  replacement_.clear();
}

/// The way of a file system that cannot exchange names. A crash between two renames leaves some files of the
/// old directory and some of the new one, each complete.
void ExclusiveDirectory::move_files() {
  expect_place(old_, target_);  // a file that cannot be moved there is taken for one that is not written
  std::vector<std::string> removed;
  for (const std::string& name : own_) {
    if (new_.move_file(name, old_)) continue;
    if (errno != ENOENT) throw Error(concat("cannot write ", target_, "/", name, ": ", system_message()));
    removed.push_back(name);
  }
  for (const std::string& name : removed) old_.remove_file(name);
  old_.sync();
}

}  // namespace gloss
