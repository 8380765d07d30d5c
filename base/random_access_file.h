// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/listener.h"
#include "base/nameless_file.h"

namespace gloss {

/// What a file has: text, which may have to be converted to UTF-8, or any bytes.
enum class FileContent { text, bytes };

/// A file that can be read at any offset, any number of times. What open_bytes decompresses or
/// converts, pipes and standard input ("-") are first copied into a nameless temporary file. The file is
/// read, not mapped, so that truncating it meanwhile causes an error and not a crash.
class RandomAccessFile {
 public:
  /// Creates the temporary file, if one is needed, in `folder` and reports it to `listener`. Throws
  /// InputError if `path` cannot be read, Error if the copy cannot be written.
  RandomAccessFile(const std::string& path, const std::string& folder, Listener& listener,
                   FileContent content = FileContent::text);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  /// The name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Decompressed size in bytes when the file was opened.
  std::int64_t size() const { return size_; }
  /// The encoding from which the copy was converted; empty: none.
  const std::string& encoding() const { return encoding_; }
  /// Fills `bytes` with the data at `offset`. Throws InputError if the file has become too short.
  /// Thread-safe.
  void read(std::int64_t offset, std::span<char> bytes) const;

 private:
  void append_to_copy(std::string_view bytes, const std::string& folder);

  std::string name_, encoding_;
  int descriptor_ = -1;               // the file itself; -1 if there is a copy
  std::optional<NamelessFile> copy_;  // the decompressed copy
  std::int64_t size_ = 0;
};

}  // namespace gloss
