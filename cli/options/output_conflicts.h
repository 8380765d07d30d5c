// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

namespace gloss {

/// A file or directory and the option that names it.
struct NamedFile {
  std::string option, path;
};

/// Throws UsageError for '-' as the name of a file that is never standard output; `option` without hyphens.
void expect_named_file(const std::string& option, const std::string& path);

/// Throws UsageError if a command would write a file that it reads, one in a directory that it reads, such as
/// a model or the training of a model, or one file twice, whatever the links between the names. From then on,
/// no input that was not named, such as a file of a list, can be one of these outputs (FilesInUse::refuse).
void expect_no_conflict(std::span<const NamedFile> read, std::span<const NamedFile> written);

}  // namespace gloss
