// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gloss {

/// A regular file that is being read.
struct FileInUse {
  std::string path;  ///< for messages
  int descriptor = -1;
  struct stat status;                ///< when it was opened
  const std::byte* begin = nullptr;  ///< of its memory; null: it is not mapped
  std::size_t size = 0;              ///< of its memory
};

/// The regular files that this process reads as a whole.
class FilesInUse {
 public:
  /// Takes over the descriptor. Returns a number for `remove`. Throws UsageError if the command writes the
  /// file too (refuse).
  std::size_t add(FileInUse);
  void remove(std::size_t number);
  /// Throws InputError if a file, still in use or not, changed while it was in use.
  void expect_unchanged();

  /// Refuses to read, from now on, the regular file that `path` leads to: the command writes it, as `option`
  /// says. "-" is standard output.
  void refuse(const std::string& option, const std::string& path);
  /// Lets a file become longer while it is in use: another program appends to it.
  void let_grow(const std::string& path);

 private:
  /// A file that the command writes.
  struct Written {
    std::string option, path;
    struct stat status;
  };
  void expect_only_read(const FileInUse&) const;
  /// Remembers a file whose size or time differs from when it was added.
  void check(const FileInUse&);

  std::mutex guard_;
  std::map<std::size_t, FileInUse> files_;
  std::vector<Written> written_;
  std::vector<struct stat> growing_;
  std::string change_;  // the last file that changed, and how
};

/// The list of this process.
FilesInUse& files_in_use();

/// The path of the file that is mapped at an address, cut if it is long; null if there is none. For the
/// handler of SIGBUS, which reading beyond the end of a file that was cut causes: safe in signal handlers.
const char* mapped_path_at(const void* address);

}  // namespace gloss
