// SPDX-License-Identifier: Apache-2.0

#include "base/short_lived_path.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

namespace gloss {
namespace {

std::mutex paths_guard;

/// Never destroyed: a signal may come while the program exits.
std::set<std::string>& short_lived_paths() {
  static auto& paths = *new std::set<std::string>;
  return paths;
}

}  // namespace

bool create_short_lived(const std::string& path, const std::function<bool()>& create) {
  const std::lock_guard lock(paths_guard);
  const bool created = create();
  if (created) short_lived_paths().insert(path);
  return created;
}

void forget_short_lived(const std::string& path) {
  const std::lock_guard lock(paths_guard);
  short_lived_paths().erase(path);
}

void remove_short_lived_paths() {
  const std::lock_guard lock(paths_guard);
  std::error_code ignored;
  for (const std::string& path : short_lived_paths()) std::filesystem::remove_all(path, ignored);
}

}  // namespace gloss
