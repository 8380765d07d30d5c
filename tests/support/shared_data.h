// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/paths.h"

namespace gloss {

/// The path of a file or folder of the reference data in GLOSS_SHARED_DATA or next to the source tree; empty
/// if it is missing.
inline std::optional<std::string> shared_data(const std::string& name) {
  const char* folder = std::getenv("GLOSS_SHARED_DATA");
  const std::string path =
      (folder != nullptr ? std::string(folder) : std::string(kSourceFolder) + "/../shared/data") + "/" + name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

/// Skips the test with a message if the reference data is missing.
#define GLOSS_NEED_SHARED_DATA(variable, name)                            \
  const std::optional<std::string> variable = ::gloss::shared_data(name); \
  if (!variable) {                                                        \
    GTEST_SKIP() << "SKIPPED: reference data " << (name)                  \
                 << " is missing; set GLOSS_SHARED_DATA to its folder";   \
  }

}  // namespace gloss
