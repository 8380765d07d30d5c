// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/output_file.h"
#include "base/writer_lock.h"

namespace gloss {

/// A file that one process writes, under a temporary name until it is complete. The temporary file
/// (NAME.gloss-RANDOM.partial) is new, never a link or a file of somebody else, locked, and has the mode of
/// the file that it replaces. A second writer of the same file is refused. Pipes and devices have no
/// temporary name (written_directly).
class ExclusiveFile : public OutputFile {
 public:
  /// Throws Error if the file cannot be created, is a folder or a block device, or is being written by
  /// another process. A link is followed, and kept; "/dev/stdout" and "/dev/fd/N" are the open descriptor.
  explicit ExclusiveFile(const std::string& path);
  /// Removes the temporary file unless it has its final name.
  ~ExclusiveFile() override;
  ExclusiveFile(const ExclusiveFile&) = delete;
  ExclusiveFile& operator=(const ExclusiveFile&) = delete;

  bool write(std::string_view bytes) override;
  const std::string& path() const override { return path_; }
  void finish() override;
  void give_name() override;
  void keep_incomplete() override;

 private:
  void create_temporary(unsigned mode, bool replaces);
  void open_directly();
  void close();

  std::string path_, temporary_;  // temporary_ is empty: written directly, or named already
  int descriptor_ = -1;
  WriterLock lock_;
};

}  // namespace gloss
