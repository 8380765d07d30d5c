// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace gloss {

/// An open directory. Its files are named through the descriptor: whoever may rename the directory cannot
/// lead us to another one by a link. `name` is always a name in the directory; links are never followed. What
/// fails returns false and sets errno.
class OpenDirectory {
 public:
  OpenDirectory() = default;
  /// Follows links. Not open (errno) if that fails.
  explicit OpenDirectory(const std::string& path);
  ~OpenDirectory();
  OpenDirectory(OpenDirectory&&) noexcept;
  OpenDirectory& operator=(OpenDirectory&&) noexcept;
  OpenDirectory(const OpenDirectory&) = delete;
  OpenDirectory& operator=(const OpenDirectory&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  void close();
  /// The directory `name`; not open if it is none.
  OpenDirectory directory(const std::string& name) const;
  /// The names in the directory; empty if it cannot be read.
  std::vector<std::string> names() const;

  bool status(struct stat& status) const;
  bool status(const std::string& name, struct stat& status) const;
  /// True if `name` is `directory`, not another one.
  bool has(const std::string& name, const OpenDirectory& directory) const;
  /// True if it is the root of a file system, or if that is unknown.
  bool is_mount_point() const;
  bool has_access_list() const;
  /// Keeps other processes from locking the directory. EWOULDBLOCK if one has locked it.
  bool lock() const;
  /// Flushes the names to disk, as far as the file system can.
  void sync() const;

  bool remove_file(const std::string& name) const;
  /// Fails if the directory has any entries.
  bool remove_directory(const std::string& name) const;
  /// Renames `name` to the same name in `other`, replacing a file.
  bool move_file(const std::string& name, const OpenDirectory& other) const;

 private:
  int descriptor_ = -1;
};

/// True if `name` is the same file in both directories.
bool linked(const OpenDirectory& a, const OpenDirectory& b, const std::string& name);

}  // namespace gloss
