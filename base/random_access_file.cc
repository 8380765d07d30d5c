#include "base/random_access_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/lines.h"

namespace gloss {
namespace {

constexpr std::size_t kChunk = 1 << 20;

/// How many bytes could be read at a place of a regular file; fewer than asked for at its end.
std::size_t read_at(int descriptor, std::int64_t offset, std::span<char> bytes, const std::string& name) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      throw InputError(concat("cannot read ", name, ": ", system_message()));
    }
  }
  return done;
}

void write_all(int descriptor, std::string_view bytes, const std::string& folder) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno != EINTR) {
      throw Error(concat("cannot write a temporary file in ", folder, ": ", system_message()));
    }
  }
}

}  // namespace

RandomAccessFile::RandomAccessFile(const std::string& path, const std::string& folder, Listener& listener)
    : name_(path == "-" ? "standard input" : path) {
  struct stat status {};
  if (path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
    char start[kPackedMark] = {};
    const std::size_t got = read_at(descriptor_, 0, start, name_);
    if (!is_packed({start, got})) {
      size_ = status.st_size;
      return;
    }
    ::close(descriptor_);
    descriptor_ = -1;
  }
  listener.note(
      concat(name_, " is unpacked into a temporary file in ", folder, ", since it is read more than once"));
  try {
    copy(path, folder);
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

RandomAccessFile::~RandomAccessFile() { ::close(descriptor_); }

void RandomAccessFile::copy(const std::string& path, const std::string& folder) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::string name = folder + "/text.XXXXXX.partial";
  descriptor_ = ::mkostemps(name.data(), static_cast<int>(std::string_view(".partial").size()), O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Error(concat("cannot make a temporary file in ", folder, ": ", system_message()));
  }
  ::unlink(name.c_str());
  std::vector<char> bytes(kChunk);
  while (const std::size_t got = source->read(bytes.data(), bytes.size())) {
    write_all(descriptor_, {bytes.data(), got}, folder);
    size_ += static_cast<std::int64_t>(got);
  }
}

void RandomAccessFile::read(std::int64_t offset, std::span<char> bytes) const {
  if (read_at(descriptor_, offset, bytes, name_) == bytes.size()) return;
  struct stat status {};
  ::fstat(descriptor_, &status);
  throw InputError(concat(name_, " was cut from ", size_, " to ", static_cast<std::int64_t>(status.st_size),
                          " bytes while it was read; put the text back and start the same command again"));
}

}  // namespace gloss
