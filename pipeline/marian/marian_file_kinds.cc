// SPDX-License-Identifier: Apache-2.0

#include "pipeline/marian/marian_file_kinds.h"

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

}  // namespace

bool is_marian_weights(const fs::path& path) { return path.extension() == ".npz" || is_binary(path); }

bool is_marian_configuration(const fs::path& path) {
  const std::string name = path.filename();
  return name == "decoder.yml" || name.ends_with(".decoder.yml") ||
         (name.starts_with("config.") && name.ends_with(".yml"));
}

bool is_marian_list(const fs::path& path) {
  const std::string name = path.filename();
  const bool yaml = path.extension() == ".yml" || path.extension() == ".yaml";
  return yaml && !is_marian_configuration(path) && name.find(".npz.") == std::string::npos &&
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

}  // namespace gloss
