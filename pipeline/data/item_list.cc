// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/item_list.h"

#include <array>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace gloss {

std::string ItemList::path_of(std::string_view item) const {
  if (item.starts_with('/') || folder.empty()) return std::string(item);
  return (std::filesystem::path(folder) / item).string();
}

void expect_item_list(const std::string& path) {
  constexpr std::string_view kStarts[] = {"RIFF",         "fLaC",      "OggS",      "\x89PNG",
                                          "\xff\xd8\xff", "\x93NUMPY", "PK\x03\x04"};
  if (!std::filesystem::is_regular_file(path)) return;
  std::array<char, 8> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  const std::string_view bytes(start.data(), start.size());
  for (const std::string_view known : kStarts) {
    if (!bytes.starts_with(known)) continue;
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
