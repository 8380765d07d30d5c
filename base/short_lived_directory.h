// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/open_directory.h"

namespace gloss {

/// A new directory that only this user can read, for files with the names `own`. It is removed with these
/// files when this object is destroyed, or by a signal that ends the program (remove_short_lived_paths). What
/// a killed program left is removed by the next one that creates such a directory in the same folder; files
/// with other names stay.
class ShortLivedDirectory {
 public:
  /// Creates NAME.gloss-RANDOM.partial in `folder`. Throws Error.
  ShortLivedDirectory(const std::string& folder, const std::string& name, std::vector<std::string> own);
  ~ShortLivedDirectory();
  ShortLivedDirectory(ShortLivedDirectory&& other) noexcept;
  ShortLivedDirectory& operator=(ShortLivedDirectory&&) = delete;

  const std::string& path() const { return path_; }
  /// Gives the directory a name at which it stays, readable for those who may read new directories of this
  /// user. False if there is a directory of this name with files. Throws Error.
  bool keep_as(const std::string& path);

 private:
  bool create();
  void remove_leftovers() const;
  void remove(const OpenDirectory& directory, const std::string& name) const;

  std::string folder_path_, name_;
  std::vector<std::string> own_;
  std::string path_;  // empty: nothing to remove
  OpenDirectory folder_, directory_;
};

}  // namespace gloss
