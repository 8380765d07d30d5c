// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// The content of a file in memory of its own. A file that is mapped instead would change under the reader,
/// or end the program with SIGBUS, when somebody overwrites or truncates it.
class LoadedFile {
 public:
  /// Throws InputError if the file is missing, not a regular file, cannot be read, or changes while it is
  /// read.
  explicit LoadedFile(const std::string& path);
  ~LoadedFile();
  LoadedFile(const LoadedFile&) = delete;
  LoadedFile& operator=(const LoadedFile&) = delete;

  /// Starts at the beginning of a page.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }
  /// The Checksum of the content, computed while reading, when the bytes are in the cache.
  const std::string& sum() const { return sum_; }
  /// Gives the memory of a part back, except at its ends; reading it afterwards ends the program.
  void release(std::span<const std::byte> part) const;

 private:
  void read(int descriptor);

  std::string path_, sum_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gloss
