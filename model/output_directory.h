// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// A directory for a model that a command makes from others. While this object lives, no other process can
/// have the same one.
class OutputDirectory {
 public:
  /// Creates the directory if it is missing. Throws UsageError if it is one of `sources`, belongs to a
  /// training, or is not empty, unless it has been agreed to `overwrite` a model; Error if another process
  /// has it or it cannot be written.
  OutputDirectory(const std::string& path, const std::vector<std::string>& sources, bool overwrite);
  /// Removes the directory if it is new and nothing was written to it.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  void lock();

  std::string path_;
  int descriptor_ = -1;
  bool created_ = false;  // it was missing
};

}  // namespace gloss
