// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// The input bytes of a fuzzing program.
inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Splits one input into two files at the first NUL.
inline std::pair<std::string_view, std::string_view> two_files(std::string_view bytes) {
  const std::size_t cut = std::min(bytes.find('\0'), bytes.size());
  return {bytes.substr(0, cut), bytes.substr(std::min(cut + 1, bytes.size()))};
}

/// A file in memory, for readers that need a path.
class InputFile {
 public:
  InputFile() : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    expects(descriptor_ >= 0, "cannot create a file in memory");
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Replaces the file's content.
  void fill(std::string_view bytes) const {
    const bool written = ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, bytes.data(), bytes.size(),
                                                                  0) == static_cast<ssize_t>(bytes.size());
    expects(written, "cannot write a file in memory");
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// A folder with two files in memory with these names.
class InputFolder {
 public:
  InputFolder(const std::string& first_name, const std::string& second_name) {
    std::filesystem::create_symlink(first.path(), folder_ / first_name);
    std::filesystem::create_symlink(second.path(), folder_ / second_name);
  }
  const std::string& path() const { return folder_.path(); }

  InputFile first, second;

 private:
  TemporaryDirectory folder_;
};

/// Runs a reader. Rejecting the input with an error is as good as reading it; any other failure ends the
/// program.
template <class Read>
void read_untrusted(Read read) {
  try {
    read();
  } catch (const Error&) {
  }
}

}  // namespace gloss
