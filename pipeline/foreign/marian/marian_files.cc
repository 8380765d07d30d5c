// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/shown.h"
#include "base/text.h"
#include "model/formats/marian_binary.h"
#include "model/formats/npz.h"
#include "model/formats/yaml.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// True for the .bin files of Marian's models: versions 1 and 2. Others, such as shortlists, have another
/// start.
bool is_binary(const fs::path& path) {
  if (path.extension() != ".bin") return false;
  std::ifstream file(path, std::ios::binary);
  char start[8] = {};
  file.read(start, sizeof start);
  const bool rest = std::ranges::any_of(start + 1, start + sizeof start, [](char byte) { return byte != 0; });
  return file.gcount() == sizeof start && (start[0] == 1 || start[0] == 2) && !rest;
}

bool is_yaml(const fs::path& path) { return path.extension() == ".yml" || path.extension() == ".yaml"; }

bool has_name_of_configuration(const fs::path& path) {
  const std::string name = path.filename();
  return name == "decoder.yml" || name.ends_with(".decoder.yml") ||
         (name.starts_with("config.") && name.ends_with(".yml"));
}

/// True for small YAML files with a list of models. In a list of words, a number follows the word.
bool lists_models(const fs::path& path) {
  constexpr std::uintmax_t kMostBytes = 1 << 16;
  std::error_code unreadable;
  if (!is_yaml(path) || fs::file_size(path, unreadable) > kMostBytes || unreadable) return false;
  const std::string member = "models:";
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(member)) continue;
    const std::size_t value = line.find_first_not_of(" \t\r", member.size());
    if (value == std::string::npos || line[value] == '[') return true;
  }
  return false;
}

/// True for weights: .npz, or a .bin file that begins as Marian's do.
bool is_marian_weights(const fs::path& path) { return path.extension() == ".npz" || is_binary(path); }

/// The configuration of a decoder: by its name, such as model.npz.decoder.yml, or its list of models.
bool is_marian_configuration(const fs::path& path) {
  return has_name_of_configuration(path) || lists_models(path);
}

/// A list of pieces. Other settings have names such as model.npz.yml and model.npz.progress.yml.
bool is_marian_list(const fs::path& path) {
  const std::string name = path.filename();
  return is_yaml(path) && !is_marian_configuration(path) && name.find(".npz.") == std::string::npos &&
         name.find(".bin.") == std::string::npos;
}

bool is_sentence_piece_model(const fs::path& path) { return path.extension() == ".spm"; }

/// The files of a directory for which `wanted` is true, in the order of their names.
std::vector<std::string> files_in(const std::string& directory, bool (*wanted)(const fs::path&)) {
  std::vector<std::string> paths;
  for (const std::string& name : names_in(directory)) {
    const fs::path path = fs::path(directory) / name;
    std::error_code unreadable;  // such as a link in a circle
    if (fs::is_regular_file(path, unreadable) && wanted(path)) paths.push_back(path);
  }
  std::ranges::sort(paths);
  return paths;
}

/// The configurations in a directory: those with such a name, or else those with a list of models.
std::vector<std::string> marian_configurations_in(const std::string& directory) {
  std::vector<std::string> named = files_in(directory, has_name_of_configuration);
  return named.empty() ? files_in(directory, lists_models) : named;
}

std::string names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(fs::path(path).filename());
  return join(names, ", ");
}

/// A file that a configuration names. Its path may be that of the machine on which the model was trained, so
/// only its end counts.
std::string named_file(const std::string& directory, const std::string& named,
                       const std::string& configuration) {
  const fs::path name = fs::path(named).filename(), path = directory / name;
  if (!name.empty() && is_file(path)) return path;
  throw InputError(concat(configuration, " names the file ", named, ", but ", directory, " has no file ",
                          name.string(), "; expected it there"));
}

/// The names that a configuration lists as `member`.
std::vector<std::string> listed(const nlohmann::json& configuration, const std::string& member,
                                const std::string& path) {
  const auto refuse = [&] {
    throw InputError(concat(path, ": expected a list of file names as ", shown(member)));
  };
  if (!configuration.is_object() || !configuration.contains(member)) refuse();
  const nlohmann::json& names = configuration.at(member);
  if (!names.is_array()) refuse();
  std::vector<std::string> all;
  for (const nlohmann::json& name : names) {
    if (!name.is_string()) refuse();
    all.push_back(name.get<std::string>());
  }
  return all;
}

/// What is known before the weights are read.
struct Found {
  std::string directory, weights;
  std::vector<std::string> vocabularies;
  std::map<std::string, double> search{};
  std::vector<std::string> notes{};
  bool allows_unknown = false;
};

void add_search(Found& found, const nlohmann::json& configuration, const std::string& path) {
  const ForeignConfig config(path, configuration);
  // Where the file says nothing, Marian's decoder has these values.
  constexpr int kBeamSize = 12, kLengthFactor = 3;
  found.search["beam_size"] = config.integer("beam-size", kBeamSize, 1, 1000);
  found.search["length_penalty"] = config.number("normalize", 0, 0, 10);
  const auto note = [&](const std::string& name, bool follows) {
    if (!follows) found.notes.push_back(concat(path, ": ", shown(name), " is not followed"));
  };
  note("word-penalty", config.number("word-penalty", 0, -1000, 1000) == 0);
  // Marian counts the end token of the source. A fraction rounds the limit of each sentence up.
  const double factor = config.number("max-length-factor", kLengthFactor, 0, 1000);
  found.search["max_length_factor"] = factor;
  found.search["max_length_offset"] = std::ceil(factor);
  note("max-length-factor", factor == std::floor(factor));
  found.allows_unknown = config.flag("allow-unk", false);
}

void add_vocabularies(Found& found, const nlohmann::json& configuration, const std::string& path) {
  for (const std::string& name : listed(configuration, "vocabs", path)) {
    found.vocabularies.push_back(named_file(found.directory, name, path));
  }
}

Found found_by_configuration(const std::string& directory, const std::string& path) {
  const nlohmann::json configuration = read_yaml(path);
  const std::vector<std::string> models = listed(configuration, "models", path);
  if (models.size() != 1) {
    throw InputError(concat(path, " names ", models.size(), " models: ", join(models, ", "),
                            "; import one at a time by the path of its weights"));
  }
  Found found{directory, named_file(directory, models.front(), path), {}};
  add_vocabularies(found, configuration, path);
  add_search(found, configuration, path);
  return found;
}

Found found_by_weights(const std::string& directory, const std::string& weights) {
  Found found{directory, weights, {}};
  std::vector<std::string> configurations = marian_configurations_in(directory);
  if (const std::string own = weights + ".decoder.yml"; path_exists(own)) configurations = {own};
  if (configurations.size() == 1) {
    const nlohmann::json configuration = read_yaml(configurations.front());
    add_vocabularies(found, configuration, configurations.front());
    add_search(found, configuration, configurations.front());
    return found;
  }
  // If there are lists, SentencePiece models beside them only split text.
  found.vocabularies = files_in(directory, is_marian_list);
  if (found.vocabularies.empty()) found.vocabularies = files_in(directory, is_sentence_piece_model);
  const std::size_t count = found.vocabularies.size();
  const bool sides = count == 2 && fs::path(found.vocabularies[0]).filename().string().starts_with("source");
  if (count == 1 || sides) return found;
  throw InputError(
      concat(directory, " has no decoder.yml for ", weights, ", and ",
             count == 0 ? "no vocabulary" : "the vocabularies " + names_of(found.vocabularies),
             "; expected model.npz.decoder.yml, which names the vocabularies, one vocabulary, or "
             "source.spm and target.spm"));
}

Found found_in_directory(const std::string& directory) {
  const std::vector<std::string> configurations = marian_configurations_in(directory);
  if (configurations.size() == 1) return found_by_configuration(directory, configurations.front());
  if (configurations.size() > 1) {
    throw InputError(concat(directory, " has several configurations: ", names_of(configurations),
                            "; give the path of one of them"));
  }
  const std::vector<std::string> weights = files_in(directory, is_marian_weights);
  if (weights.size() == 1) return found_by_weights(directory, weights.front());
  throw InputError(
      concat(directory, " has several models: ", names_of(weights), "; give the path of one of them"));
}

Found find_files(const std::string& path) {
  if (is_folder(path)) return found_in_directory(path);
  const std::string parent = fs::path(path).parent_path(), directory = parent.empty() ? "." : parent;
  return is_marian_configuration(path) ? found_by_configuration(directory, path)
                                       : found_by_weights(directory, path);
}

/// The settings of the network: YAML, then NULs.
ForeignConfig read_options(const StoredArrays& weights) {
  constexpr std::size_t kMostBytes = 1 << 20;
  constexpr const char* kName = "special:model.yml";
  const std::string where = weights.where(kName);
  const std::string text = weights.at(kName).bytes(kMostBytes);
  return {where, parse_yaml(std::string_view(text).substr(0, text.find('\0')), where)};
}

}  // namespace

bool is_marian(const std::string& path) {
  if (!is_folder(path)) return is_file(path) && (is_marian_weights(path) || is_marian_configuration(path));
  return !files_in(path, is_marian_weights).empty() || !marian_configurations_in(path).empty();
}

MarianFiles read_marian_files(const std::string& path) {
  Found found = find_files(path);
  const bool zipped = fs::path(found.weights).extension() == ".npz";
  auto weights = std::make_shared<const StoredArrays>(zipped ? read_npz(found.weights)
                                                             : read_marian_binary(found.weights));
  ForeignConfig options = read_options(*weights);
  return {std::move(found.directory),    std::move(weights),      std::move(options),
          std::move(found.vocabularies), std::move(found.search), std::move(found.notes),
          found.allows_unknown};
}

}  // namespace gloss
