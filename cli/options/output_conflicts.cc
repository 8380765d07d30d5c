// SPDX-License-Identifier: Apache-2.0

#include "cli/options/output_conflicts.h"

#include <filesystem>

#include "base/error.h"
#include "base/files.h"

namespace gloss {
namespace {

/// Throws UsageError if two names mean the same regular file, whatever the links between them.
void expect_other_file(const NamedFile& written, const NamedFile& other, const std::string& consequence) {
  std::error_code unknown;
  const bool to_be_same =
      written.path == other.path && written.path != "-" && !std::filesystem::exists(written.path, unknown);
  if (!to_be_same && !same_regular_file(written.path, other.path)) return;
  const std::string name = written.path == "-" ? "standard output" : written.path;
  const std::string other_name = other.path == "-" ? "standard input" : other.path;
  throw UsageError(concat(written.option, ": ", name,
                          name == other_name ? "" : " is the same file as " + other_name,
                          name == other_name ? " is also given for " : ", given for ", other.option,
                          ", so that the command ", consequence, "; choose another file"));
}

}  // namespace

void expect_named_file(const std::string& option, const std::string& path) {
  if (path != "-") return;
  throw UsageError(
      concat("--", option,
             ": found '-', expected the name of a file; /dev/stdout and /dev/stderr are standard "
             "output and standard error"));
}

void expect_no_conflict(std::span<const NamedFile> read, std::span<const NamedFile> written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (const NamedFile& other : read) expect_other_file(written[i], other, "would overwrite an input");
    for (const NamedFile& other : written.first(i)) {
      expect_other_file(written[i], other, "would write one file twice");
    }
  }
}

}  // namespace gloss
