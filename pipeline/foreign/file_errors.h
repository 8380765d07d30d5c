// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace gloss {

/// That a path is a link to nothing, and to what; empty for others.
std::string dangling_link(const std::string& path);

/// What a file is that was not downloaded or copied as it is: the small text that git-lfs leaves in its
/// place, a web page, such as one about an error, or a link to nothing. For messages; empty for other files.
std::string undownloaded(const std::string& path);

/// Throws InputError if a file that the message of an error names is such a one. The file is in the directory
/// `path`, or beside the file `path`.
void explain_undownloaded(const std::string& path, std::string_view message);

/// Calls a function that reads the model `path`. Errors about files that were not downloaded are explained.
template <class Call>
auto with_file_errors(const std::string& path, const Call& call) {
  try {
    return call();
  } catch (const InputError& error) {
    explain_undownloaded(path, error.what());
    throw;
  }
}

}  // namespace gloss
