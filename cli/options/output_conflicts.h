// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

namespace gloss {

/// A file and the option that names it.
struct NamedFile {
  std::string option, path;
};

/// Throws UsageError for '-' as the name of a file that is never standard output; `option` without hyphens.
void expect_named_file(const std::string& option, const std::string& path);

/// Throws UsageError if a command would write a file that it reads, or one file twice, whatever the links
/// between the names.
void expect_no_conflict(std::span<const NamedFile> read, std::span<const NamedFile> written);

}  // namespace gloss
