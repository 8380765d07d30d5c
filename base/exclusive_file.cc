// SPDX-License-Identifier: Apache-2.0

#include "base/exclusive_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/file_to_write.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/temporary_name.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial";

/// True if another process writes one of the other temporary files for `path`. Removes those that a process
/// left when it was killed, which nobody has locked. Without locks it is unknown who writes them; they stay.
bool another_writes(const std::string& path, const std::string& own) {
  const std::string folder = folder_of(path);
  bool found = false;
  for (const std::string& name : names_in(folder)) {
    const std::string other = concat(folder, "/", name);
    if (!is_temporary_name(name, path) || fs::path(other).filename() == fs::path(own).filename()) continue;
    constexpr int kSafely = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int descriptor = ::open(other.c_str(), O_WRONLY | kSafely);
    if (descriptor < 0) descriptor = ::open(other.c_str(), O_RDONLY | kSafely);
    if (descriptor < 0) continue;
    struct stat status {};
    const bool ours =
        ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      found = found || errno == EWOULDBLOCK;
    } else if (ours && same_file(descriptor, other)) {
      ::unlink(other.c_str());
    }
    ::close(descriptor);
  }
  return found;
}

/// Removes a temporary file; its name is empty then.
void remove(std::string& temporary) {
  ::unlink(temporary.c_str());
  temporary.clear();
}

}  // namespace

ExclusiveFile::ExclusiveFile(const std::string& path) : path_(path) {
  if (const int given = named_descriptor(path); given >= 0) {
    descriptor_ = ::fcntl(given, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail_to_write(path_);
    return;
  }
  path_ = followed_link(path);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(concat("cannot write ", path, ": it is a directory; name a file in it"));
  }
  if (exists && S_ISBLK(status.st_mode)) throw Error(concat("cannot write ", path, ": it is a block device"));
  if (exists && !S_ISREG(status.st_mode)) {
    open_directly();
  } else {
    create_temporary(permissions_for(path_), exists);
  }
}

void ExclusiveFile::open_directly() {
  // O_CREAT lets the kernel refuse the pipes of others in folders that all may write to.
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_write(path_);
}

void ExclusiveFile::create_temporary(unsigned mode, bool replaces) {
  // Two writers that start at the same time may see each other; both step back and try again later.
  constexpr int kAttempts = 6;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t random = system_random();
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::microseconds(random % 20'000));
    temporary_ = temporary_name(path_, random);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ < 0) {
      temporary_.clear();
      if (errno == EEXIST) continue;
      fail_to_write(path_);
    }
    // Another writer may have taken it for a leftover before it was locked.
    if (lock_.take(descriptor_, path_) && same_file(descriptor_, temporary_) &&
        !another_writes(path_, temporary_)) {
      if (!replaces || ::fchmod(descriptor_, mode) == 0) return;
      const std::string message = system_message();
      remove(temporary_);
      close();
      throw Error(concat("cannot write ", path_, ": ", message));
    }
    remove(temporary_);
    close();
  }
  throw Error(concat("cannot write ", path_, ": ", lock_.refusal("another file")));
}

ExclusiveFile::~ExclusiveFile() {
  if (!temporary_.empty()) remove(temporary_);
  close();
}

bool ExclusiveFile::write(std::string_view bytes) { return write_all(descriptor_, bytes); }

void ExclusiveFile::finish() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail_to_write(path_);
}

void ExclusiveFile::give_name() {
  if (!temporary_.empty()) {
    give_final_name(descriptor_, temporary_, path_);
    temporary_.clear();
  }
  // Closed last: until it has its name, the lock keeps other writers away.
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(path_);
  lock_.release();
}

void ExclusiveFile::keep_incomplete() {
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), concat(path_, kPartial).c_str()) == 0) temporary_.clear();
}

void ExclusiveFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  lock_.release();
}

void fail_to_write(const std::string& path) {
  throw Error(concat("cannot write ", path, ": ", system_message()));
}

}  // namespace gloss
