// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/readable_model.h"

#include <cstdlib>
#include <filesystem>

#include "model/model_paths.h"
#include "pipeline/interchange/conversion.h"
#include "pipeline/interchange/import_model.h"

namespace gloss {

bool means_model(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) || is_foreign_model(path);
}

std::string model_named(const std::string& path) {
  return is_foreign_model(path) ? path : model_directory_of(path);
}

ReadableModel::ReadableModel(const std::string& path, Listener& listener)
    : name_(model_named(path)), directory_(name_) {
  if (!is_foreign_model(name_)) return;
  const char* const cache = std::getenv("GLOSS_IMPORT_CACHE");
  if (cache != nullptr && *cache != '\0') {
    directory_ = cached_conversion(path, cache, listener);
  } else {
    converted_.emplace(temporary_conversion(path, listener));
    directory_ = converted_->path();
  }
}

}  // namespace gloss
