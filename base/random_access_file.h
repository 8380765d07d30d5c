#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/listener.h"
#include "base/nameless_file.h"

namespace gloss {

/// A file whose bytes can be read at any place and any number of times. What cannot - packed files (.gz,
/// .zst), pipes, "-" for standard input - is unpacked into a file without a name first, which is gone when
/// this object or the program is. Reading, not mapping: a file that somebody cuts meanwhile is an error and
/// not a crash.
class RandomAccessFile {
 public:
  /// The nameless file is made in `folder`, of which `listener` is told. Throws InputError if `path` cannot
  /// be read, Error if there is no room for the copy.
  RandomAccessFile(const std::string& path, const std::string& folder, Listener& listener);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  /// The name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Unpacked, in bytes, when the file was opened.
  std::int64_t size() const { return size_; }
  /// Fills `bytes` from `offset` on. Throws InputError if the file has become shorter than that. Safe to use
  /// from many threads.
  void read(std::int64_t offset, std::span<char> bytes) const;

 private:
  std::string name_;
  int descriptor_ = -1;               // of the file itself
  std::optional<NamelessFile> copy_;  // or what it was unpacked into
  std::int64_t size_ = 0;
};

}  // namespace gloss
