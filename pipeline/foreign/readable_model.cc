// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/readable_model.h"

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/paths.h"
#include "model/model_paths.h"
#include "pipeline/foreign/foreign_formats.h"
#include "pipeline/foreign/no_model.h"

namespace gloss {

bool means_model(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) || is_foreign_model(path);
}

std::string model_named(const std::string& path) {
  const std::string name = without_last_slashes(path);
  if (is_foreign_model(name)) return name;
  const std::string own = model_directory_of(name);
  if (own.empty()) throw InputError(why_no_model(name));
  return own;
}

ReadableModel::ReadableModel(const std::string& path, Listener& listener, const ForeignCheck& check)
    : name_(model_named(path)), directory_(name_) {
  if (!is_foreign_model(name_)) return;
  const char* const cache = std::getenv("GLOSS_IMPORT_CACHE");
  if (cache != nullptr && *cache != '\0') {
    directory_ = cached_conversion(name_, cache, check, listener);
  } else {
    converted_.emplace(temporary_conversion(name_, check, listener));
    directory_ = converted_->path();
  }
}

}  // namespace gloss
