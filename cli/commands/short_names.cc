// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/short_names.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace gloss {
namespace {

/// The last `count` parts of a path.
std::string tail(const std::filesystem::path& path, std::ptrdiff_t count) {
  const std::ptrdiff_t parts = std::distance(path.begin(), path.end());
  std::filesystem::path kept;
  for (auto part = std::next(path.begin(), std::max<std::ptrdiff_t>(0, parts - count)); part != path.end();
       ++part) {
    kept /= *part;
  }
  return kept.string();
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> normal;
  std::ptrdiff_t most_parts = 1;
  for (const std::string& path : paths) {
    std::filesystem::path one = std::filesystem::path(path).lexically_normal();
    if (!one.has_filename() && one.has_parent_path() && one.has_relative_path()) one = one.parent_path();
    most_parts = std::max(most_parts, std::distance(one.begin(), one.end()));
    normal.push_back(std::move(one));
  }
  for (std::ptrdiff_t parts = 1; parts <= most_parts; ++parts) {
    std::vector<std::string> names;
    for (const auto& path : normal) names.push_back(tail(path, parts));
    if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  }
  return paths;
}

}  // namespace gloss
