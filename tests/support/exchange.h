// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <stdio.h>

#include <filesystem>
#include <string>

namespace gloss {

/// True if the file system of `folder` can exchange two names in one step, which NFS and others cannot.
inline bool can_exchange(const std::string& folder) {
  const std::string one = folder + "/exchange-one", other = folder + "/exchange-other";
  std::filesystem::create_directory(one);
  std::filesystem::create_directory(other);
  const bool done = renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
  std::filesystem::remove(one);
  std::filesystem::remove(other);
  return done;
}

}  // namespace gloss
