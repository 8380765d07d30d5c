// SPDX-License-Identifier: Apache-2.0

#include "model/output_directory.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/files_in_use.h"
#include "base/temporary_name.h"
#include "base/terminal_text.h"
#include "model/model_paths.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// Throws UsageError, or Error for a file, if a model must not be written there in any case.
void expect_place_for_model(const std::string& path) {
  std::error_code missing;
  if (fs::exists(path + "/training.json", missing) || !list_checkpoints(path).empty()) {
    throw UsageError(concat("--output ", path, " belongs to a training; choose another directory"));
  }
  if (fs::exists(path, missing) && !fs::is_directory(path, missing)) {
    throw Error(concat("--output ", path, " is a file; expected a directory"));
  }
}

void expect_empty(const std::string& path) {
  std::vector<std::string> names = names_in(path);
  std::erase_if(names, [](const std::string& name) { return is_lock_name(name, ""); });
  if (names.empty()) return;
  std::ranges::sort(names);
  const bool model = std::ranges::count(names, kConfigFile) > 0;
  throw UsageError(
      concat("--output ", path,
             model ? " holds a model" : concat(" has files already, such as ", terminal_text(names.front())),
             "; choose another directory, or give --overwrite to replace a model in it"));
}

}  // namespace

OutputDirectory::OutputDirectory(const std::string& path, bool overwrite,
                                 const std::vector<std::string>& further) {
  expect_place_for_model(path);
  if (!overwrite) expect_empty(path);
  std::vector<std::string> files = further;
  for (const std::string_view name : kModelFiles) {
    std::erase(files, name);
    files.emplace_back(name);  // config.json last
  }
  // The model that is read may be this one, or have links to these files.
  for (const std::string& name : files) files_in_use().refuse("--output", concat(path, "/", name));
  directory_.emplace(path, std::move(files));
  if (!overwrite) expect_empty(path);  // another process may have written it in the meantime
}

}  // namespace gloss
