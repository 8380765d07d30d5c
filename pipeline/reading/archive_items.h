// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>

#include "base/text.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/item_list.h"

namespace gloss {

/// The numbers of the items of an archive, as a stream.
class ArchiveItems : public InputStream<std::string> {
 public:
  explicit ArchiveItems(ItemList list) : list_(std::move(list)) {}

  bool next(std::string& item) override {
    if (next_ == total()) return false;
    item = std::to_string(next_++);
    return true;
  }
  bool available(std::chrono::steady_clock::time_point /*until*/) override { return true; }
  std::string place(std::int64_t number) const override { return concat(list_.name, ": item ", number - 1); }
  std::string unit() const override { return "images"; }
  std::int64_t total() const override { return list_.archive->items(); }
  const ItemList& list() const { return list_; }

 private:
  ItemList list_;
  std::int64_t next_ = 0;
};

}  // namespace gloss
