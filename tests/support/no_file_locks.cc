// SPDX-License-Identifier: Apache-2.0
// Loaded before the system's library (LD_PRELOAD), this makes all file systems those without file locks.
#include <cerrno>

extern "C" int flock(int, int) {
  errno = ENOLCK;
  return -1;
}
