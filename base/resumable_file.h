// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/output_file.h"

namespace gloss {

/// A regular file that is written as NAME.partial until it is complete, and that a later process can
/// continue. It is locked: a second writer is refused.
class ResumableFile : public OutputFile {
 public:
  /// Opens NAME.partial, or creates it. Throws Error if it cannot be written, is a link or no regular file,
  /// or is being written by another process.
  explicit ResumableFile(const std::string& path);
  ~ResumableFile() override;
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// The name of the incomplete file.
  static std::string partial_path(const std::string& path);
  /// The number of bytes that the file has.
  std::int64_t size() const;
  /// Cuts the file to its first `bytes` bytes; what is written next follows them. Throws Error.
  void cut(std::int64_t bytes);

  int descriptor() const override { return descriptor_; }
  const std::string& path() const override { return path_; }
  void finish() override;
  void give_name() override;
  /// It has the name already; a file without content is removed.
  void keep_incomplete() override;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace gloss
