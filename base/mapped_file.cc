// SPDX-License-Identifier: Apache-2.0

#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/files_in_use.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/rounding.h"

namespace gloss {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// The file's pages, all of them read; throws InputError, or bad_alloc without addresses.
const std::byte* mapped(int descriptor, std::size_t size, const std::string& path) {
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
  if (memory != MAP_FAILED) return static_cast<const std::byte*>(memory);
  if (errno == ENOMEM) refuse_memory(size);
  throw InputError(concat("cannot read ", path, ": ", system_message()));
}

/// The pages of which every byte belongs to `part`.
std::span<std::byte> whole_pages(std::span<const std::byte> part) {
  const auto page = index(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data()), end = begin + part.size();
  const std::uintptr_t first = round_up(begin, page), last = end / page * page;
  if (first >= last) return {};
  return {const_cast<std::byte*>(part.data()) + (first - begin), last - first};
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.number < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
  struct stat status {};
  if (::fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode)) {
    throw InputError(concat(
        path, S_ISDIR(status.st_mode) ? " is a directory; expected a file" : " is not a regular file"));
  }
  size_ = index(status.st_size);
  if (size_ > 0) data_ = mapped(file.number, size_, path);
  use_ = files_in_use().add({path, std::exchange(file.number, -1), status, data_, size_});
}

MappedFile::~MappedFile() {
  files_in_use().remove(use_);
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::release(std::span<const std::byte> part) const {
  set_aside(part);
  const std::span<std::byte> pages = whole_pages(part);
  if (!pages.empty()) ::mprotect(pages.data(), pages.size(), PROT_NONE);
}

void set_aside(std::span<const std::byte> part) {
  const std::span<std::byte> pages = whole_pages(part);
  if (!pages.empty()) ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
}

void expect_unchanged_files() { files_in_use().expect_unchanged(); }

}  // namespace gloss
