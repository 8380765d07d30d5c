// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/readable_model.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/nameless_file.h"
#include "model/model_paths.h"
#include "pipeline/interchange/import_model.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

ShortLivedDirectory convert(const std::string& path, const std::string& folder) {
  const ForeignModel model = read_foreign_model(path);
  ShortLivedDirectory directory(folder);
  write_foreign_model(model, directory.path());
  return directory;
}

/// A sum of what changes when a model changes: the names, sizes and times of its files.
std::string state_of(const std::string& path) {
  std::vector<std::string> lines;
  const auto add = [&](const fs::directory_entry& file) {
    if (!file.is_regular_file()) return;
    lines.push_back(concat(file.path().filename().string(), " ", file.file_size(), " ",
                           file.last_write_time().time_since_epoch().count(), "\n"));
  };
  if (fs::is_directory(path)) {
    for (const fs::directory_entry& file : fs::directory_iterator(path)) add(file);
  } else {
    add(fs::directory_entry(path));
  }
  std::ranges::sort(lines);
  Checksum sum;
  sum.add(fs::canonical(path).string());
  for (const std::string& line : lines) sum.add(line);
  return sum.text();
}

/// The conversion of a model in the cache, made if it is missing.
std::string cached(const std::string& path, const std::string& cache) {
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) throw Error(concat("GLOSS_IMPORT_CACHE: cannot create ", cache, ": ", error.message()));
  const std::string directory =
      concat(cache, "/", fs::canonical(path).filename().string(), "-", state_of(path));
  // If another program makes the same conversion at the same time, the first one stays.
  if (!fs::exists(directory, error)) convert(path, cache).keep_as(directory);
  return directory;
}

}  // namespace

bool is_foreign_model(const std::string& path) {
  return std::ranges::any_of(foreign_formats(),
                             [&](const ForeignFormat& format) { return format.recognises(path); });
}

std::string model_named(const std::string& path) {
  return is_foreign_model(path) ? path : model_directory_of(path);
}

ReadableModel::ReadableModel(const std::string& path) : name_(model_named(path)), directory_(name_) {
  if (!is_foreign_model(name_)) return;
  const char* const cache = std::getenv("GLOSS_IMPORT_CACHE");
  if (cache != nullptr && *cache != '\0') {
    directory_ = cached(path, cache);
  } else {
    converted_.emplace(convert(path, temporary_folder()));
    directory_ = converted_->path();
  }
}

}  // namespace gloss
