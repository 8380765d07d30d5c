// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// During its lifetime, collects the paths of the files that the calling thread maps (MappedFile), also of
/// those that cannot be opened.
class MappedPaths {
 public:
  MappedPaths();
  ~MappedPaths();
  MappedPaths(const MappedPaths&) = delete;
  MappedPaths& operator=(const MappedPaths&) = delete;

  const std::vector<std::string>& paths() const { return paths_; }
  /// Adds a path to all collections of the calling thread.
  static void add(const std::string& path);

 private:
  MappedPaths* before_;  // the collection that this one is made within
  std::vector<std::string> paths_;
};

}  // namespace gloss
