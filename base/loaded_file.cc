// SPDX-License-Identifier: Apache-2.0

#include "base/loaded_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "base/checksum.h"
#include "base/descriptors.h"
#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr std::size_t kChunk = 1 << 20;  // fits into the cache, for the sum

struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

bool same_state(const struct stat& a, const struct stat& b) {
  const auto time = [](const timespec& t) { return std::pair(t.tv_sec, t.tv_nsec); };
  return a.st_size == b.st_size && time(a.st_mtim) == time(b.st_mtim);
}

}  // namespace

LoadedFile::LoadedFile(const std::string& path) : path_(path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.number < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
  struct stat before {
  }, after{};
  if (::fstat(file.number, &before) != 0 || !S_ISREG(before.st_mode)) {
    throw InputError(concat(path, " is not a regular file"));
  }
  size_ = index(before.st_size);
  if (size_ == 0) {
    sum_ = checksum("");
    return;
  }
  const bool fits = size_ / index(::sysconf(_SC_PAGESIZE)) < index(::sysconf(_SC_PHYS_PAGES));
  void* const memory =
      fits ? ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    throw Error(concat("not enough memory for ", path, ", which has ", size_ >> 20, " MiB"));
  }
  data_ = static_cast<std::byte*>(memory);
  try {
    read(file.number);
    if (::fstat(file.number, &after) != 0 || !same_state(before, after)) {
      throw InputError(concat(path, " changed while it was read; run the same command again"));
    }
  } catch (...) {
    ::munmap(data_, size_);
    throw;
  }
}

LoadedFile::~LoadedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void LoadedFile::read(int descriptor) {
  constexpr std::size_t kLarge = 1 << 24;  // worth the start of threads
  const int threads = size_ < kLarge ? 1 : std::min(4, available_processors());
  constexpr int kWaiting = 4;
  using Chunk = std::span<std::byte>;
  std::size_t next = 0;
  const auto take = [&](Chunk& chunk) {
    chunk = {data_ + next, std::min(kChunk, size_ - next)};
    next += chunk.size();
    return !chunk.empty();
  };
  const auto fill = [&](Chunk& chunk, int) {
    const std::span<char> bytes(reinterpret_cast<char*>(chunk.data()), chunk.size());
    if (read_at(descriptor, chunk.data() - data_, bytes, path_) == chunk.size()) return chunk;
    throw InputError(concat(path_, " became shorter while it was read; run the same command again"));
  };
  Checksum sum;
  ordered_parallel<Chunk, Chunk>(threads, kWaiting, take, fill, [&](Chunk& chunk) { sum.add(chunk); });
  sum_ = sum.text();
}

void LoadedFile::release(std::span<const std::byte> part) const {
  const auto page = index(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = round_up(index(part.data() - data_), page);
  const std::size_t end = index(part.data() - data_) + part.size();
  const std::size_t last = end / page * page;
  if (begin >= last) return;
  ::madvise(data_ + begin, last - begin, MADV_DONTNEED);
  ::mprotect(data_ + begin, last - begin, PROT_NONE);  // else it would be zeros, and results wrong
}

}  // namespace gloss
