// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/item_paths.h"

#include <filesystem>

#include "base/text.h"
#include "pipeline/reading/item_list.h"

namespace gloss {

bool ItemPaths::next(std::string& path) {
  if (!lines_.next(path)) return false;
  ++number_;
  if (is_blank(path)) return true;
  path.resize(std::min(path.find('\t'), path.size()));
  // The folder of a list is that of its place, "folder/list:7".
  const std::string folder = std::filesystem::path(lines_.place(number_)).parent_path().string();
  path = ItemList{"", folder}.path_of(path);
  return true;
}

}  // namespace gloss
