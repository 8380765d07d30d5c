// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/no_model.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "model/model_paths.h"
#include "pipeline/ctranslate2/ctranslate2_vocabulary.h"
#include "pipeline/hugging_face/hugging_face_weights.h"
#include "pipeline/interchange/file_errors.h"
#include "pipeline/interchange/model_kinds.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// What is at a path.
struct Place {
  std::string path;
  std::vector<std::string> names{};  ///< of a directory, in their order

  bool has(const std::string& name) const { return std::ranges::count(names, name) > 0; }
  /// The names with one of these endings.
  std::vector<std::string> ending(const std::vector<std::string>& endings) const {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      const auto ends = [&](const std::string& end) { return name.ends_with(end); };
      if (std::ranges::any_of(endings, ends)) found.push_back(name);
    }
    return found;
  }
};

/// A rule says why a path is no model, or nothing.
using Rule = std::string (*)(const Place&);

std::string first_reason(std::span<const Rule> rules, const Place& place) {
  for (const Rule rule : rules) {
    if (std::string reason = rule(place); !reason.empty()) return reason;
  }
  return "";
}

/// The first few of several names.
std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kMost = 3;
  if (names.size() > kMost) {
    names.resize(kMost);
    names.back() += " ...";
  }
  return join(names, ", ");
}

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

std::string missing(const Place& place) { return concat(place.path, " does not exist; ", expected_models()); }

// Files.

std::string pointer(const Place& place) {
  return is_git_lfs_pointer(place.path) ? pointer_message(place.path) : "";
}

std::string checkpoint_alone(const Place& place) {
  if (!place.path.ends_with(".pt")) return "";
  return concat(place.path, " has no dictionaries beside it (dict.LANGUAGE.txt); if it is a checkpoint of ",
                "fairseq, copy those of its training data to ", folder_of(place.path));
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

/// Weights in a form that gloss does not read, for a file and for a directory.
std::string unread(const Place& place) {
  const std::string name = fs::path(place.path).filename();
  const std::vector<std::string> found =
      unread_weights(place.names.empty() ? std::vector{name} : place.names);
  if (found.empty()) return "";
  const std::string what = place.names.empty() ? place.path : concat(place.path, " has ", some_of(found));
  return concat(what, ": gloss does not read this form of weights; ", expected_models());
}

std::string other_file(const Place& place) { return concat(place.path, " is no model; ", expected_models()); }

// Directories.

std::string own_model(const Place& place) {
  if (model_directory_of(place.path).empty()) return "";
  return place.path + " is a model of gloss already; all commands take it as it is";
}

std::string with_pointers(const Place& place) {
  for (const std::string& name : place.names) {
    const std::string file = concat(place.path, "/", name);
    if (is_git_lfs_pointer(file)) return pointer_message(file);
  }
  return "";
}

/// models--NAME in the cache of the Hugging Face hub: snapshots have the files.
std::string hub_cache(const Place& place) {
  const std::string snapshots = place.path + "/snapshots";
  std::vector<std::string> paths;
  for (const std::string& name : names_in(snapshots)) paths.push_back(concat(snapshots, "/", name));
  if (paths.empty()) return "";
  std::ranges::sort(paths);
  return concat(place.path, " is a directory of the Hugging Face cache; give ",
                paths.size() == 1 ? "its snapshot " : "one of its snapshots: ", some_of(paths));
}

std::string checkpoints(const Place& place) {
  const std::vector<std::string> found = place.ending({".pt"});
  if (found.size() == 1) return checkpoint_alone({concat(place.path, "/", found.front())});
  if (found.empty()) return "";
  return concat(place.path, " has ", found.size(), " checkpoints: ", some_of(found),
                "; give the path of one of them");
}

std::string weights_alone(const Place& place) {
  const std::vector<std::string> found = place.ending({".safetensors", ".safetensors.index.json", ".bin"});
  if (found.empty() || place.has(kConfigFile)) return "";
  return concat(place.path, " has ", found.front(), ", but no config.json; expected all files of the model");
}

std::string vocabularies_alone(const Place& place) {
  if (!has_ctranslate2_vocabulary(place.path)) return "";
  return concat(place.path,
                " has vocabularies of CTranslate2, but no model.bin; expected all files of the model");
}

std::string models_inside(const Place& place) {
  constexpr std::size_t kMost = 100;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(place.names.size(), kMost); ++i) {
    const std::string path = concat(place.path, "/", place.names[i]);
    std::error_code error;
    if (!fs::is_directory(path, error)) continue;
    if (!hub_cache({path}).empty() || !kind_of_model(path).empty()) found.push_back(path);
  }
  if (found.empty()) return "";
  return concat(place.path, " is a directory of models; give one of them, such as ", some_of(found));
}

std::string no_files(const Place& place) {
  return place.names.empty() ? concat(place.path, " is an empty directory; ", expected_models()) : "";
}

std::string other_directory(const Place& place) {
  return concat(place.path, " has no model; ", expected_models());
}

constexpr std::array<Rule, 2> kMissing{not_downloaded, missing};
constexpr std::array<Rule, 5> kFile{pointer, checkpoint_alone, part_of_model, unread, other_file};
constexpr std::array<Rule, 10> kDirectory{own_model,     with_pointers,      hub_cache,     checkpoints,
                                          weights_alone, vocabularies_alone, models_inside, unread,
                                          no_files,      other_directory};

}  // namespace

std::string why_no_model(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) && error && status.type() != fs::file_type::not_found)
    return concat("cannot read ", path, ": ", error.message());
  if (!fs::exists(status)) return first_reason(kMissing, {path});
  if (!fs::is_directory(status)) return first_reason(kFile, {path});
  if (const fs::directory_iterator readable(path, error); error)
    return concat("cannot read ", path, ": ", error.message());
  Place place{path, names_in(path)};
  std::ranges::sort(place.names);
  return first_reason(kDirectory, place);
}

}  // namespace gloss
