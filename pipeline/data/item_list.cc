// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/item_list.h"

#include <filesystem>

namespace gloss {

std::string ItemList::path_of(std::string_view item) const {
  if (item.starts_with('/') || folder.empty()) return std::string(item);
  return (std::filesystem::path(folder) / item).string();
}

ItemList open_item_list(const std::string& path, const std::string& folder, Listener& listener) {
  ItemList list{path, path == "-" ? "" : std::filesystem::path(path).parent_path().string()};
  if (is_idx_archive(path)) list.archive = std::make_shared<IdxArchive>(path, folder, listener);
  return list;
}

}  // namespace gloss
