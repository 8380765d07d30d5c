// SPDX-License-Identifier: Apache-2.0

#include "base/resumable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/error.h"
#include "base/file_to_write.h"
#include "base/files.h"
#include "base/paths.h"

namespace gloss {

std::string ResumableFile::partial_path(const std::string& path) { return followed_link(path) + ".partial"; }

ResumableFile::ResumableFile(const std::string& path) : path_(followed_link(path)) {
  const std::string partial = partial_path(path_);
  descriptor_ = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                       permissions_for(path_));
  if (descriptor_ < 0) fail_to_write(partial);
  struct stat status {};
  const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && lock_alone(descriptor_, partial)) return;
  ::close(std::exchange(descriptor_, -1));
  throw Error(concat("cannot write ", partial, ": ",
                     regular ? "another process is writing it; wait until it ends or choose another file"
                             : "it is no regular file"));
}

ResumableFile::~ResumableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::int64_t ResumableFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_to_write(path_);
  return status.st_size;
}

void ResumableFile::cut(std::int64_t bytes) {
  if (::ftruncate(descriptor_, bytes) != 0) fail_to_write(path_);
}

void ResumableFile::finish() {
  if (::fdatasync(descriptor_) != 0) fail_to_write(path_);
}

void ResumableFile::give_name() {
  if (::rename(partial_path(path_).c_str(), path_.c_str()) != 0) fail_to_write(path_);
  sync_directory(folder_of(path_));
  // Closed last: until it has its name, the lock keeps other writers away.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(path_);
}

void ResumableFile::keep_incomplete() {
  if (descriptor_ >= 0 && size() == 0) ::unlink(partial_path(path_).c_str());
}

}  // namespace gloss
