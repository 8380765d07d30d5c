// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// The folder for temporary files: TMPDIR, or /tmp without it. Throws Error if that is not a folder.
std::string temporary_folder();

/// A temporary file without a name: the system deletes it when this object is destroyed or the program ends.
class NamelessFile {
 public:
  /// Throws Error if the file cannot be created in `folder`.
  explicit NamelessFile(std::string folder);
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Throws Error if writing fails, for example because the disk is full.
  void append(std::string_view bytes);
  /// Reads from `offset` into `bytes` and returns the number of bytes read, which is smaller at the end of
  /// the file. Throws InputError.
  std::size_t read(std::int64_t offset, std::span<char> bytes) const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace gloss
