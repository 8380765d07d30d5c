// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/file_errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/paths.h"

namespace gloss {
namespace {

/// The first bytes of a regular file, in lower case.
std::string start_of(const std::string& path) {
  if (!is_file(path)) return "";
  std::string start(64, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  std::ranges::transform(start, start.begin(), [](unsigned char c) { return std::tolower(c); });
  return start;
}

}  // namespace

std::string dangling_link(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_symlink(path, error) || fs::exists(path, error)) return "";
  return concat(path, " is a link to ", fs::read_symlink(path, error).string(), ", which does not exist");
}

std::string undownloaded(const std::string& path) {
  if (const std::string link = dangling_link(path); !link.empty())
    return link + "; copy the file itself, such as with 'cp -L', or download it again";
  const std::string start = start_of(path);
  if (start.starts_with("version https://git-lfs.github.com/spec/")) {
    return concat(path, " is only a pointer of git-lfs to the file; run 'git lfs pull' in ", folder_of(path));
  }
  constexpr std::array kPages{"<!doctype html", "<html", "<?xml"};
  const bool page = std::ranges::any_of(kPages, [&](const char* begin) { return start.starts_with(begin); });
  return page ? path + " is a web page, not the file of a model; download the file itself" : "";
}

void explain_undownloaded(const std::string& path, std::string_view message) {
  const std::string directory = is_folder(path) ? path : folder_of(path);
  for (const std::string& name : names_in(directory)) {
    if (message.find(name) == std::string_view::npos) continue;
    const std::string reason = undownloaded(concat(directory, "/", name));
    if (!reason.empty()) throw InputError(reason);
  }
}

}  // namespace gloss
