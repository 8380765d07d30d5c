// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/open_directory.h"
#include "base/writer_lock.h"

namespace gloss {

/// A directory that one process writes, and whose files appear together. They are written to a temporary
/// directory beside it (NAME.gloss-RANDOM.partial), which then changes places with the old one in one step:
/// whenever the program ends, the directory is the old one or the new one. Files of others stay in it. Two
/// processes never have the same directory.
///
/// A directory is written in place, file by file, if it cannot be exchanged unnoticed: the current directory,
/// a mount point, one that has subdirectories, links, access lists, another owner or group, one in a folder
/// that we may not read or write, or on a file system that cannot exchange names.
class ExclusiveDirectory {
 public:
  /// Creates the directory and its parents if they are missing, and removes what a killed process left. `own`
  /// are the names of all files that may be written; the old ones are replaced or removed, in this order.
  /// Throws Error if another process has the directory, or it cannot be written.
  ExclusiveDirectory(const std::string& path, std::vector<std::string> own);
  /// Removes the temporary directory, and the directory itself if it is new and empty.
  ~ExclusiveDirectory();
  ExclusiveDirectory(const ExclusiveDirectory&) = delete;
  ExclusiveDirectory& operator=(const ExclusiveDirectory&) = delete;

  /// Where to write the files.
  const std::string& path() const { return replacement_.empty() ? target_ : replacement_; }
  /// Gives the complete files their place. Throws Error, also if the directory was removed or replaced.
  void give_name();

 private:
  explicit ExclusiveDirectory(std::vector<std::string> own) : own_(std::move(own)) {}
  void lock(const std::string& path);
  bool is_own(const std::string& name) const;
  void remove_leftovers() const;
  void create_replacement();
  bool keep_files() const;
  bool exchange();
  void discard_old();
  void move_files();

  std::string name_of_replacement() const;

  std::string target_;       // the directory, with links resolved
  std::string replacement_;  // the temporary directory; empty: written in place
  std::vector<std::string> own_;
  OpenDirectory old_, new_, parent_;  // the first two are locked; new_ is the temporary directory
  WriterLock lock_;                   // on old_
  bool created_ = false;              // it was missing
};

}  // namespace gloss
