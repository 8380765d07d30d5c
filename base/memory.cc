// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace gloss {

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

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0, resident_pages = 0;
  if (!(file >> pages >> resident_pages)) return 0;
  return static_cast<double>(resident_pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace gloss
