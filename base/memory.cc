// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace gloss {

double resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0, resident_pages = 0;
  if (!(file >> pages >> resident_pages)) return 0;
  return static_cast<double>(resident_pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace gloss
