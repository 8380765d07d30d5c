// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/writer_lock.h"

namespace gloss {

/// The lock on a training directory: a file in it, locked while this object lives.
class TrainingLock {
 public:
  /// Creates the directory, its parents and the lock file if they are missing. Throws Error if the directory
  /// is not writable or another training uses it.
  explicit TrainingLock(const std::string& directory);
  /// Removes the file and the folders that the constructor created if the directory has no checkpoint.
  ~TrainingLock();
  TrainingLock(const TrainingLock&) = delete;
  TrainingLock& operator=(const TrainingLock&) = delete;

  /// Throws Error if the file was replaced: another training has the directory.
  void expect_held() const;

 private:
  explicit TrainingLock(std::string directory, std::vector<std::string> new_folders);
  void lock();

  std::string directory_, file_;
  std::vector<std::string> new_folders_;
  bool is_new_ = false;  // we created the file
  int descriptor_ = -1;
  WriterLock lock_;
};

}  // namespace gloss
