// SPDX-License-Identifier: Apache-2.0

#include "base/resumable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/exclusive_file.h"
#include "base/file_to_write.h"
#include "base/paths.h"

namespace gloss {
namespace {

/// The first free name for what a run rescues.
std::string rescue_path(const std::string& path) {
  std::string free = path + ".rescued";
  for (int number = 2; path_exists(free); ++number) free = concat(path, ".rescued-", number);
  return free;
}

}  // namespace

std::string ResumableFile::partial_path(const std::string& path) { return followed_link(path) + ".partial"; }

ResumableFile::ResumableFile(const std::string& path) : path_(followed_link(path)) {
  const std::string partial = partial_path(path_);
  // This is checked before the file is created: a writer that is refused may not remove it, since another one
  // may have opened it by then.
  if (!lock_.is_free(path_))
    throw Error(concat("cannot write ", partial, ": ", lock_.refusal("another file")));
  descriptor_ = ::open(partial.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                       permissions_for(path_));
  if (descriptor_ < 0) fail_to_write(partial);
  struct stat status {};
  const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && lock_.take(descriptor_, path_) && same_file(descriptor_, partial)) return;
  ::close(std::exchange(descriptor_, -1));
  throw Error(concat("cannot write ", partial, ": ",
                     regular ? lock_.refusal("another file") : "it is no regular file"));
}

ResumableFile::~ResumableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::int64_t ResumableFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_to_write(path_);
  return status.st_size;
}

void ResumableFile::continue_after(const FileStart& start) {
  add_start(start.bytes);
  if (const std::string found = sum_.text(); found != start.sum || bytes_ != start.bytes) {
    throw InputError(concat(partial_path(path_), " was changed: its first ", start.bytes,
                            " bytes have the checksum ", found, ", expected ", start.sum,
                            "; remove it to start again"));
  }
  if (::ftruncate(descriptor_, start.bytes) != 0) fail_to_write(path_);
}

void ResumableFile::add_start(std::int64_t bytes) {
  std::string part(std::min<std::int64_t>(bytes, 1 << 20), '\0');
  while (bytes_ < bytes) {
    const std::size_t wanted = std::min<std::size_t>(part.size(), static_cast<std::size_t>(bytes - bytes_));
    const ssize_t count = ::pread(descriptor_, part.data(), wanted, bytes_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(concat("cannot read ", partial_path(path_), ": ", system_message()));
    if (count == 0) return;
    sum_.add(std::string_view(part).substr(0, static_cast<std::size_t>(count)));
    bytes_ += count;
  }
}

bool ResumableFile::write(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) return false;
  sum_.add(bytes);
  bytes_ += std::ssize(bytes);
  return true;
}

void ResumableFile::finish() {
  if (::fdatasync(descriptor_) != 0) fail_to_write(path_);
}

void ResumableFile::give_name() {
  const std::string partial = partial_path(path_);
  if (!same_file(descriptor_, partial)) rescue();
  give_final_name(descriptor_, partial, path_);
  // Closed last: until it has its name, the lock keeps other writers away.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(path_);
  lock_.release();
}

void ResumableFile::rescue() const {
  const std::string partial = partial_path(path_);
  ExclusiveFile copy(rescue_path(path_));
  std::string part(1 << 20, '\0');
  std::int64_t copied = 0;
  while (const std::size_t count = read_at(descriptor_, copied, part, partial)) {
    if (!copy.write(std::string_view(part).substr(0, count))) fail_to_write(copy.path());
    copied += static_cast<std::int64_t>(count);
  }
  copy.finish();
  copy.give_name();
  throw Error(concat("cannot write ", path_, ": ", partial,
                     " was removed or replaced while it was written, perhaps by another run; the ", copied,
                     " bytes of this run are in ", copy.path()));
}

void ResumableFile::keep_incomplete() {
  const std::string partial = partial_path(path_);
  if (descriptor_ >= 0 && size() == 0 && same_file(descriptor_, partial)) ::unlink(partial.c_str());
}

}  // namespace gloss
