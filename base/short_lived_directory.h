// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/open_directory.h"

namespace gloss {

/// A new directory that only this user can read. It is removed with its files when this object is destroyed;
/// what a killed program left is removed by the next one that creates a directory in the same folder.
class ShortLivedDirectory {
 public:
  /// Creates gloss-RANDOM in `folder`. Throws Error.
  explicit ShortLivedDirectory(const std::string& folder);
  ~ShortLivedDirectory();
  ShortLivedDirectory(ShortLivedDirectory&& other) noexcept;
  ShortLivedDirectory& operator=(ShortLivedDirectory&&) = delete;

  const std::string& path() const { return path_; }
  /// Gives the directory a name at which it stays. False if there is a directory of this name with files.
  /// Throws Error.
  bool keep_as(const std::string& path);

 private:
  std::string path_;  // empty: nothing to remove
  OpenDirectory lock_;
};

}  // namespace gloss
