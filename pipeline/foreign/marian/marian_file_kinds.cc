// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_file_kinds.h"

#include <algorithm>
#include <fstream>

#include "base/files.h"

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

}  // namespace

bool is_marian_weights(const fs::path& path) { return path.extension() == ".npz" || is_binary(path); }

bool is_marian_configuration(const fs::path& path) {
  return has_name_of_configuration(path) || lists_models(path);
}

bool is_marian_list(const fs::path& path) {
  const std::string name = path.filename();
  return is_yaml(path) && !is_marian_configuration(path) && name.find(".npz.") == std::string::npos &&
         name.find(".bin.") == std::string::npos;
}

bool is_sentence_piece_model(const fs::path& path) { return path.extension() == ".spm"; }

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

std::vector<std::string> marian_configurations_in(const std::string& directory) {
  std::vector<std::string> named = files_in(directory, has_name_of_configuration);
  return named.empty() ? files_in(directory, lists_models) : named;
}

}  // namespace gloss
