// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// The content of a file, mapped into memory: processes that use the same file share it. If somebody
/// overwrites the file, its content changes here too, which expect_unchanged_files reports; if somebody cuts
/// it, the program ends with a message and status 3 when it reads beyond the new end.
class MappedFile {
 public:
  /// Throws InputError if the file is missing, not a regular file, cannot be read, or changes meanwhile.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Starts at the beginning of a page.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }
  /// Gives the memory of a part back, except at its ends; reading it afterwards ends the program.
  void release(std::span<const std::byte> part) const;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t use_ = 0;  // number in the list of files in use
};

/// Throws InputError naming a file that was changed while it was mapped: results computed from it are wrong.
void expect_unchanged_files();

/// Gives the memory of a part of a mapped file back, except at its ends; what is read again is mapped again,
/// page by page. For mapped files only: other memory would lose its content.
void set_aside(std::span<const std::byte> part);

}  // namespace gloss
