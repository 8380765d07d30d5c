// SPDX-License-Identifier: Apache-2.0

#include "base/random_access_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/files_in_use.h"
#include "base/index.h"
#include "base/lines.h"

namespace gloss {
namespace {

constexpr std::size_t kRandomAccessChunk = 1 << 20;

}  // namespace

RandomAccessFile::RandomAccessFile(const std::string& path, const std::string& folder, Listener& listener,
                                   FileContent content)
    : name_(path == "-" ? "standard input" : path) {
  struct stat status {};
  if (path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
    char start[kFileMark] = {};
    const std::size_t got = read_at(descriptor_, 0, start, name_);
    const bool as_it_is = content == FileContent::text ? !is_encoded({start, got}) : !is_packed({start, got});
    if (as_it_is) {
      size_ = status.st_size;
      files_in_use().add({path, descriptor_, status});
      return;
    }
    ::close(descriptor_);
    descriptor_ = -1;
  }
  const std::unique_ptr<ByteStream> source =
      content == FileContent::text ? open_bytes(path) : open_unpacked(path);
  encoding_ = source->encoding();
  listener.note(concat(name_, encoding_.empty() ? " is unpacked" : " is converted to UTF-8",
                       " into a temporary file in ", folder, ", since it is read more than once"));
  copy_.emplace(folder);
  std::vector<char> bytes(kRandomAccessChunk);
  while (const std::size_t got = source->read(bytes.data(), bytes.size())) {
    append_to_copy({bytes.data(), got}, folder);
  }
}

void RandomAccessFile::append_to_copy(std::string_view bytes, const std::string& folder) {
  try {
    copy_->append(bytes);
  } catch (const Error& error) {
    throw Error(concat(error.what(), "; the copy of ", name_, " has ", size_ >> 20,
                       " MiB so far and must hold all of its unpacked text: make room in ", folder,
                       ", or give the text as a plain file"));
  }
  size_ += std::ssize(bytes);
}

RandomAccessFile::~RandomAccessFile() {
  if (descriptor_ >= 0) files_in_use().remove(index(descriptor_));
}

void RandomAccessFile::read(std::int64_t offset, std::span<char> bytes) const {
  const std::size_t got = copy_ ? copy_->read(offset, bytes) : read_at(descriptor_, offset, bytes, name_);
  if (got == bytes.size()) return;
  expects(!copy_, "read ", got, " of ", bytes.size(), " bytes of a temporary file at offset ", offset);
  struct stat status {};
  ::fstat(descriptor_, &status);
  throw InputError(concat(name_, " shrank from ", size_, " to ", static_cast<std::int64_t>(status.st_size),
                          " bytes while it was read; restore the file and run the same command again"));
}

}  // namespace gloss
