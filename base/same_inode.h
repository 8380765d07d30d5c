// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/stat.h>

namespace gloss {

/// True if both are states of one file or directory, whatever its names.
inline bool same_inode(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace gloss
