// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/exclusive_directory.h"

namespace gloss {

/// A directory for a model that a command makes from others. While this object lives, no other process can
/// have the same one. Without `commit`, nothing changes, unless the directory has to be written in place
/// (ExclusiveDirectory).
class OutputDirectory {
 public:
  /// Creates the directory if it is missing. Throws UsageError if it belongs to a training, or is not empty,
  /// unless it has been agreed to `overwrite` a model; Error if another process has it or it cannot be
  /// written. `further` are the names of files that may be written besides those of a model. From then on,
  /// the files that are replaced cannot be read (FilesInUse::refuse): none belongs to the model that is read.
  OutputDirectory(const std::string& path, bool overwrite, const std::vector<std::string>& further = {});

  /// Where write_model writes the model.
  const std::string& path() const { return directory_->path(); }
  /// Gives the complete model its place: in one step, where that is possible (ExclusiveDirectory).
  void commit() { directory_->give_name(); }

 private:
  std::optional<ExclusiveDirectory> directory_;
};

}  // namespace gloss
