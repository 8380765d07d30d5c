// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/file_errors.h"

#include <cstdint>

#include "base/files.h"
#include "base/paths.h"

namespace gloss {

bool is_git_lfs_pointer(const std::string& path) {
  constexpr std::string_view kStart = "version https://git-lfs.github.com/spec/";
  constexpr std::uintmax_t kMostBytes = 1024;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMostBytes)
    return false;
  try {
    return read_file(path).starts_with(kStart);
  } catch (const InputError&) {
    return false;
  }
}

std::string pointer_message(const std::string& path) {
  return concat(path, " is only a pointer of git-lfs to the file; run 'git lfs pull' in ", folder_of(path));
}

void explain_pointers(const std::string& path, std::string_view message) {
  std::error_code error;
  const std::string directory = std::filesystem::is_directory(path, error) ? path : folder_of(path);
  for (const std::string& name : names_in(directory)) {
    const std::string file = concat(directory, "/", name);
    if (message.find(name) != std::string_view::npos && is_git_lfs_pointer(file))
      throw InputError(pointer_message(file));
  }
}

}  // namespace gloss
