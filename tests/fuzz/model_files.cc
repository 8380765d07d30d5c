// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/model_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "tests/fuzz/plain_weights.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 32;

bool is_name(std::string_view name) {
  const auto plain = [](char c) { return c > ' ' && c != '/' && c != '\x7f'; };
  return !name.empty() && name.size() < 80 && name[0] != '.' && std::ranges::all_of(name, plain);
}

}  // namespace

std::string packed(const ModelFiles& files) {
  std::string bytes;
  for (const InputModelFile& file : files)
    bytes += concat(file.name, " ", file.bytes.size(), "\n", file.bytes, "\n");
  return bytes;
}

ModelFiles unpacked(std::string_view bytes) {
  ModelFiles files;
  std::set<std::string, std::less<>> names;
  while (!bytes.empty() && files.size() < kMostFiles) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, space);
    std::size_t size = 0;
    if (!is_name(name) || !parse_number(line.substr(std::min(space + 1, line.size())), size)) break;
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    size = std::min(size, bytes.size());
    if (names.emplace(name.substr(0, name.find('|'))).second)
      files.push_back({std::string(name), std::string(bytes.substr(0, size))});
    bytes.remove_prefix(std::min(size + 1, bytes.size()));
  }
  return files;
}

ModelFiles files_of(const std::string& directory) {
  ModelFiles files;
  for (const std::string& name : names_in(directory))
    files.push_back({name, read_file(concat(directory, "/", name))});
  std::ranges::sort(files, {}, &InputModelFile::name);
  return files;
}

void write_files(const ModelFiles& files, const std::string& directory) {
  fs::remove_all(directory);
  fs::create_directories(directory);
  for (const InputModelFile& file : files) {
    const std::size_t end = std::min(file.name.find('|'), file.name.size());
    const std::string kind = file.name.substr(std::min(end + 1, file.name.size()));
    std::ofstream stream(concat(directory, "/", file.name.substr(0, end)), std::ios::binary);
    stream << (kind.empty() ? file.bytes : encoded_weights(file.bytes, kind));
  }
}

}  // namespace gloss
