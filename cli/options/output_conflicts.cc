// SPDX-License-Identifier: Apache-2.0

#include "cli/options/output_conflicts.h"

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/files_in_use.h"
#include "base/paths.h"
#include "model/model_paths.h"

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

/// The training whose checkpoint a model is, as the user would name it; otherwise the directory itself.
std::string whole_of(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path model = fs::canonical(directory, unknown);
  if (unknown) return directory;
  for (const Checkpoint& checkpoint : list_checkpoints(model.parent_path().string())) {
    if (!fs::equivalent(checkpoint.path, model, unknown)) continue;
    const fs::path beside = (fs::path(directory) / "..").lexically_normal();
    const bool linked = !fs::equivalent(beside, model.parent_path(), unknown);
    fs::path training = linked ? model.parent_path() : beside;
    if (!training.has_filename()) training = training.parent_path();
    return training.string();
  }
  return directory;
}

/// A name for the output beside the directory.
std::string place_beside(const std::string& directory, const std::string& output) {
  const std::filesystem::path name = std::filesystem::path(output).lexically_normal().filename();
  return (std::filesystem::path(directory) / ".." / name).lexically_normal().string();
}

/// Throws UsageError if an output is a directory that is read, such as a model, or lies in it. A checkpoint
/// is a part of its training: other commands write nothing into one.
void expect_outside(const NamedFile& written, const NamedFile& read) {
  const std::string directory = written.path == "-" ? read.path : whole_of(read.path);
  if (written.path == "-" || !lies_in(written.path, directory)) return;
  std::error_code unknown;
  const bool same = std::filesystem::equivalent(written.path, directory, unknown);
  const bool whole = directory == read.path;
  const std::string given =
      whole ? "given for " + read.option : concat("the training of ", read.option, " ", read.path);
  throw UsageError(concat(written.option, ": ", written.path,
                          same ? whole ? " is also " : " is " : concat(" lies in ", directory, ", "), given,
                          ", which the command only reads; choose a place outside of it",
                          same ? "" : ", such as " + place_beside(directory, written.path)));
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
    for (const NamedFile& other : read) {
      expect_other_file(written[i], other, "would overwrite an input");
      expect_outside(written[i], other);
    }
    for (const NamedFile& other : written.first(i)) {
      expect_other_file(written[i], other, "would write one file twice");
    }
  }
  for (const NamedFile& output : written) files_in_use().refuse(output.option, output.path);
}

}  // namespace gloss
