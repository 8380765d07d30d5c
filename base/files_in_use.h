// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace gloss {

/// A mapped file.
struct FileInUse {
  std::string path;
  int descriptor = -1;
  struct stat status;                ///< before it was mapped
  const std::byte* begin = nullptr;  ///< of its memory
  std::size_t size = 0;
};

/// The mapped files of this process. While there is one, SIGBUS, which reading beyond the end of a file that
/// was cut causes, ends the program with a message that names the file, and status 3.
class FilesInUse {
 public:
  FilesInUse();
  /// Takes over the descriptor. Returns a number for `remove`.
  std::size_t add(FileInUse);
  void remove(std::size_t number);
  /// Throws InputError if a file, still in use or not, changed while it was in use.
  void expect_unchanged();

 private:
  /// Remembers a file whose size or time differs from when it was added.
  void check(const FileInUse&);

  std::mutex guard_;
  std::vector<FileInUse> files_;  // free places have no descriptor
  std::string changed_;           // the path of a file that changed
};

/// The list of this process.
FilesInUse& files_in_use();

}  // namespace gloss
