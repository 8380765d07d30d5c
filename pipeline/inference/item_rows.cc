// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/item_rows.h"

namespace gloss {

ItemRows::ItemRows(const NetworkSettings& network, ItemList list)
    : reader_(make_source_reader(network)), list_(std::move(list)) {}

void add_to(TokenRows& rows, const SourceItem& item) {
  if (item.numbers.bytes.empty()) {
    rows.add_item(item.row, item.numbers.floats);
  } else {
    rows.add_item(item.row, item.numbers.bytes);
  }
}

}  // namespace gloss
