// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unistd.h>

#include <string>

namespace gloss {

/// Where a program of the system is; empty if it is not installed.
inline std::string find_tool(const std::string& name) {
  for (const std::string folder : {"/usr/bin/", "/bin/", "/usr/local/bin/"}) {
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return "";
}

}  // namespace gloss
