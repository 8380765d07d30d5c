// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/item_rows.h"

#include "base/error.h"
#include "base/index.h"

namespace gloss {

ItemRows::ItemRows(const NetworkSettings& network, ItemList list)
    : reader_(make_source_reader(network)), list_(std::move(list)) {}

std::vector<std::string> place_names(const SourceSettings& source, std::size_t vectors) {
  const auto columns =
      source.type == SourceType::image ? index(grid_of(source.image, source.stem).columns) : 0;
  std::vector<std::string> places;
  for (std::size_t place = 0; place < vectors; ++place) {
    places.push_back(columns == 0 ? concat(place + 1)
                                  : concat(place / columns + 1, ",", place % columns + 1));
  }
  return places;
}

void add_to(TokenRows& rows, const SourceItem& item) {
  if (item.numbers.bytes.empty()) {
    rows.add_item(item.row, item.numbers.floats);
  } else {
    rows.add_item(item.row, item.numbers.bytes);
  }
}

}  // namespace gloss
