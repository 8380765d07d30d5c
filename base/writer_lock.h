// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// The right to write a file or a directory, which one process has at a time. It is a lock of the system on
/// the open file, which ends when the file is closed. A file system without locks, as network disks may be,
/// needs a lock file instead (lock_name), which says which process of which host made it. Destruction removes
/// it, and a signal that ends the program does (remove_short_lived_paths). What a killed process of this
/// machine left is taken over; whether a process of another one lives is unknown, so its lock file stays.
class WriterLock {
 public:
  WriterLock() = default;
  ~WriterLock() { release(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

  /// Takes the right to write `path`, by a lock on `descriptor` if there are locks. False if another process
  /// has it, also by a lock file (is_free). For a directory, whose lock file is in it, `path` ends with a
  /// slash.
  bool take(int descriptor, const std::string& path);
  /// False if another process has a lock file for `path`: it found no locks, perhaps only for a moment.
  bool is_free(const std::string& path);
  /// Removes the lock file, if there is one.
  void release();

  /// Why `take` returned false, and what to do, such as to choose `other`: "another file".
  std::string refusal(std::string_view other) const;

 private:
  bool take_file(const std::string& path);
  /// Remembers whose lock file it is; false.
  bool refuse(const std::string& file, const std::string& text);

  std::string file_, text_;  // the lock file; empty: none
  std::string writer_ = "another process", advice_, failure_;
};

}  // namespace gloss
