// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/mapped_paths.h"

namespace gloss {

/// That a path is a link to nothing, and to what; empty for others.
std::string dangling_link(const std::string& path);

/// What a file is that was not downloaded or copied as it is: the small text that git-lfs leaves in its
/// place, a web page, such as one about an error, or a link to nothing. For messages; empty for other files.
std::string undownloaded(const std::string& path);

/// Throws InputError if one of the files that were read, or a link to nothing in the directory of the model
/// `path`, is such a one.
void explain_undownloaded(const std::string& path, const std::vector<std::string>& read);

/// Calls a function that reads the model `path`. An error after files were read that were not downloaded is
/// explained.
template <class Call>
auto with_file_errors(const std::string& path, const Call& call) {
  const MappedPaths files;
  try {
    return call();
  } catch (const InputError&) {
    explain_undownloaded(path, files.paths());
    throw;
  }
}

}  // namespace gloss
