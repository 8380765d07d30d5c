// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/item_list.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/index.h"
#include "base/paths.h"

namespace gloss {

std::string ItemList::path_of(std::string_view item) const {
  if (item.starts_with('/') || folder.empty()) return std::string(item);
  return (std::filesystem::path(folder) / item).string();
}

void expect_item_list(const std::string& path) {
  constexpr std::string_view kStarts[] = {"RIFF",         "fLaC",      "OggS",      "\x89PNG",
                                          "\xff\xd8\xff", "\x93NUMPY", "PK\x03\x04"};
  if (!is_file(path)) return;
  std::array<char, 20> start;
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  const std::string_view bytes(start.data(), index(file.gcount()));
  for (const std::string_view known : kStarts) {
    if (!bytes.starts_with(known)) continue;
    // A path in a list may begin with the letters of a recording, but has no zeros.
    const bool letters = std::ranges::all_of(known, [](char c) { return c >= 'A' && c <= 'z'; });
    if (letters && bytes.find('\0') == std::string_view::npos) continue;
    throw UsageError(concat(path, " is an item, not a list of items: give a file with its path, or pass the ",
                            "path on standard input"));
  }
}

ItemList open_item_list(const std::string& path, const std::string& folder, Listener& listener) {
  ItemList list{path, path == "-" ? "" : std::filesystem::path(path).parent_path().string()};
  if (is_idx_archive(path)) {
    list.archive = std::make_shared<IdxArchive>(path, folder, listener);
  } else {
    expect_item_list(path);
  }
  return list;
}

}  // namespace gloss
