// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/output_file.h"

namespace gloss {

class Packer;

/// Standard output or a file, compressed if its name ends with .gz, .zst, .xz or .bz2. Regular and missing
/// files get their name when they are complete (ExclusiveFile): a run that fails keeps the old content, and
/// leaves the new as NAME.partial. Pipes and devices are written directly. Throws ClosedPipe if the reader
/// closed the pipe, Error if writing fails.
class Output {
 public:
  /// `path` "-" is standard output.
  explicit Output(const std::string& path = "-");
  /// Writes to this file.
  explicit Output(std::unique_ptr<OutputFile> file);
  /// Without a call of `close`, the flushed text stays in NAME.partial.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Appends to the buffer, which is written when it is full or by `flush`.
  void write(std::string_view bytes);
  void line(std::string_view text) {
    write(text);
    write("\n");
  }
  void flush();
  /// Flushes to disk, not only to the system. Throws Error.
  void flush_to_disk();
  /// Flushes, closes and renames the file; throws errors that the system reports only now.
  void close();
  /// The number of bytes written to this object, before compression.
  std::int64_t bytes() const { return bytes_; }

 private:
  void send(std::string_view bytes);

  std::string buffer_;
  std::int64_t bytes_ = 0;
  std::unique_ptr<OutputFile> file_;  // null: standard output, which is not closed
  std::unique_ptr<Packer> packer_;    // null: not compressed
};

}  // namespace gloss
