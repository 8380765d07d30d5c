// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

namespace gloss {
namespace {

std::atomic<std::size_t> refused = 0;

}  // namespace

std::int64_t address_space_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

bool addresses_are_left(std::size_t bytes) {
  if (address_space_limit() == 0) return true;
  void* const tried = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried == MAP_FAILED) return false;
  ::munmap(tried, bytes);
  return true;
}

long peak_address_space_mebibytes() {
  std::array<char, 4096> text{};
  const int descriptor = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t got = ::read(descriptor, text.data(), text.size() - 1);
  ::close(descriptor);
  constexpr const char* kPeak = "VmPeak:";
  const char* const found = got > 0 ? std::strstr(text.data(), kPeak) : nullptr;
  return found == nullptr ? 0 : std::strtol(found + std::strlen(kPeak), nullptr, 10) / 1024;
}

void refuse_memory(std::size_t bytes) {
  refused = bytes;
  throw std::bad_alloc();
}

std::size_t refused_memory() { return refused; }

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0, resident_pages = 0;
  if (!(file >> pages >> resident_pages)) return 0;
  return static_cast<double>(resident_pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace gloss
