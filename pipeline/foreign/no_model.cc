// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/no_model.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "pipeline/foreign/file_errors.h"
#include "pipeline/foreign/marian/marian_files.h"
#include "pipeline/foreign/model_kinds.h"
#include "pipeline/foreign/model_rules.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

// Paths that do not exist.

std::string not_downloaded(const Place& place) {
  const std::vector<std::string> parts = split(place.path, '/');
  std::error_code error;
  const bool hub = parts.size() == 2 && !parts[0].empty() && parts[0].front() != '.' &&
                   parts[0].front() != '~' && !parts[1].empty() && !fs::exists(parts[0], error);
  if (!hub) return "";
  return concat(place.path,
                " does not exist; gloss downloads nothing: if this is a model of the Hugging Face hub, run "
                "'huggingface-cli download ",
                place.path, " --local-dir ", parts[1], "' and give the directory ", parts[1]);
}

/// The best model of a training directory is a link to a checkpoint.
std::string link_alone(const Place& place) {
  const std::string link = dangling_link(place.path);
  if (link.empty()) return "";
  return concat(link,
                "; 'cp -r' copies the links of a training directory, such as best, as links: copy the "
                "model itself with 'cp -rL'");
}

std::string missing(const Place& place) { return concat(place.path, " does not exist; ", expected_models()); }

// Files.

std::string empty_file(const Place& place) {
  std::error_code error;
  const bool empty = fs::is_regular_file(place.path, error) && fs::file_size(place.path, error) == 0;
  return empty && !error ? concat(place.path, " is empty; ", expected_models()) : "";
}

std::string damaged_weights(const Place& place) {
  if (!place.path.ends_with(".bin") || !is_marian(folder_of(place.path))) return "";
  return concat(place.path,
                " does not begin as weights of Marian; the file is damaged, or not one of weights: ",
                "import the model of Marian by its directory ", folder_of(place.path));
}

std::string part_of_model(const Place& place) {
  const fs::path path = place.path;
  const std::string name = path.filename(), ending = path.extension(), folder = folder_of(place.path);
  constexpr std::array kEndings{".safetensors", ".bin", ".json", ".spm", ".model", ".yml"};
  if (std::ranges::count(kEndings, ending) == 0 && name != "vocab.txt" && name != "merges.txt") return "";
  if (const std::string kind = kind_of_model(folder); !kind.empty())
    return concat(place.path, " is one file of a ", kind, "; give the directory ", folder);
  return concat(place.path, " may be one file of a model, but not alone: ", why_no_model(folder));
}

std::string other_file(const Place& place) { return concat(place.path, " is no model; ", expected_models()); }

constexpr std::array<ModelRule, 3> kMissing{link_alone, not_downloaded, missing};
constexpr std::array<ModelRule, 8> kFile{not_downloaded_well, empty_file, checkpoint_alone, damaged_weights,
                                         part_of_model,       packed,     unread_form,      other_file};

}  // namespace

std::string why_no_model(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) && error && status.type() != fs::file_type::not_found)
    return concat("cannot read ", path, ": ", error.message());
  if (!fs::exists(status)) return first_reason(kMissing, {path});
  if (!fs::is_directory(status)) return first_reason(kFile, {path});
  if (::access(path.c_str(), R_OK | X_OK) != 0) return concat("cannot read ", path, ": ", system_message());
  Place place{path, names_in(path)};
  std::ranges::sort(place.names);
  return first_reason(rules_of_directories(), place);
}

}  // namespace gloss
