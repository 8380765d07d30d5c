// SPDX-License-Identifier: Apache-2.0

#include "model/model_paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The update in a name such as "checkpoint-000500"; -1 for other names.
std::int64_t update_of(const std::string& name) {
  std::int64_t update = -1;
  if (!name.starts_with(kCheckpointPrefix)) return -1;
  return parse_number(std::string_view(name).substr(kCheckpointPrefix.size()), update) ? update : -1;
}

}  // namespace

std::vector<Checkpoint> list_checkpoints(const std::string& directory) {
  std::vector<Checkpoint> found;
  for (const std::string& name : names_in(directory)) {
    const std::int64_t update = update_of(name);
    if (update >= 0) found.push_back({concat(directory, "/", name), update});
  }
  std::sort(found.begin(), found.end(),
            [](const Checkpoint& a, const Checkpoint& b) { return a.update < b.update; });
  return found;
}

std::string model_directory_of(const std::string& path) {
  std::error_code error;
  if (fs::exists(concat(path, "/", kConfigFile), error)) return path;
  if (error == std::errc::permission_denied) {
    throw InputError(concat("cannot read ", path, ": ", error.message()));
  }
  if (fs::exists(concat(path, "/best/", kConfigFile), error)) return path + "/best";
  if (!list_checkpoints(path).empty()) {
    throw InputError(concat(path, " is a training that has not validated a model yet; use ", path,
                            "/last for its latest checkpoint, or continue the training"));
  }
  return "";
}

}  // namespace gloss
