// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "base/listener.h"
#include "base/short_lived_directory.h"
#include "pipeline/foreign/conversion.h"

namespace gloss {

/// True for an argument that can only be a model: a directory, or a file with a model of another program.
bool means_model(const std::string& path);
/// The model that a path names: a model of another program, or the model directory (model_directory_of).
/// Throws InputError if there is none.
std::string model_named(const std::string& path);

/// A model that a user names, as a model directory: the model directory itself, the best model of a training
/// directory, or a converted model of another program (import_model.h). The conversion lies in a temporary
/// directory as long as this object lives, or for good in the directory that the environment variable
/// GLOSS_IMPORT_CACHE names. Memory that was mapped from its files stays readable afterwards.
class ReadableModel {
 public:
  /// Notes what is converted and how. Throws InputError if there is no model; Error if the conversion cannot
  /// be written; what `check` throws, for a model of another program before it is converted, which takes
  /// time.
  ReadableModel(const std::string& path, Listener&, const ForeignCheck& check = {});

  const std::string& directory() const { return directory_; }
  /// For messages: see model_named.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::optional<ShortLivedDirectory> converted_;
  std::string directory_;
};

}  // namespace gloss
