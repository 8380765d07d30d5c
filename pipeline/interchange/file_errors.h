// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gloss {

/// True for the small text that git-lfs leaves in place of a file that has not been downloaded.
bool is_git_lfs_pointer(const std::string& path);
/// The message about such a file.
std::string pointer_message(const std::string& path);

/// Throws InputError if a file that the message of an error names is a pointer of git-lfs. The file is in the
/// directory `path`, or beside the file `path`.
void explain_pointers(const std::string& path, std::string_view message);

/// Calls a function that reads the model `path`. What the file system refuses, such as links in a circle,
/// becomes an InputError; errors about pointers of git-lfs are explained.
template <class Call>
auto with_file_errors(const std::string& path, const Call& call) {
  try {
    return call();
  } catch (const std::filesystem::filesystem_error& error) {
    // Files of a directory that may not be entered need not exist.
    const bool permitted = error.code() != std::errc::permission_denied;
    throw InputError(
        concat("cannot read ", permitted ? error.path1().string() : path, ": ", error.code().message()));
  } catch (const InputError& error) {
    explain_pointers(path, error.what());
    throw;
  }
}

}  // namespace gloss
