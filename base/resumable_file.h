// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/checksum.h"
#include "base/output_file.h"
#include "base/writer_lock.h"

namespace gloss {

/// The first bytes of a file.
struct FileStart {
  std::int64_t bytes = 0;
  std::string sum = checksum("");  ///< their checksum
};

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
  /// Cuts off what follows this start; what is written next follows it. Throws InputError, and cuts nothing,
  /// if the file begins with other bytes.
  void continue_after(const FileStart&);
  /// The start that was continued and all that was written since.
  FileStart written() const { return {bytes_, sum_.text()}; }

  bool write(std::string_view bytes) override;
  const std::string& path() const override { return path_; }
  void finish() override;
  /// Throws Error if another file has the temporary name by now; what was written is then in NAME.rescued.
  void give_name() override;
  /// It has the name already; a file without content is removed.
  void keep_incomplete() override;

 private:
  /// Adds the first `bytes` bytes of the file to the sum.
  void add_start(std::int64_t bytes);
  /// Copies the content, which has no name any more, to a new file, and throws Error that names it.
  [[noreturn]] void rescue() const;

  std::string path_;
  int descriptor_ = -1;
  WriterLock lock_;
  std::int64_t bytes_ = 0;  // in the sum
  Checksum sum_;
};

}  // namespace gloss
