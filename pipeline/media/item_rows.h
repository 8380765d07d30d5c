// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/media/source_reader.h"

namespace gloss {

/// The number of items that are in memory at once.
constexpr std::size_t kItemsTogether = 256;

/// Lines that name items of a source that is not text, as rows of a network. Thread-safe.
class ItemRows {
 public:
  /// `list`: to which the items belong.
  ItemRows(const NetworkSettings&, ItemList list);
  /// The item that a line names. Throws InputError if it cannot be read.
  SourceItem read(const std::string& line) const { return reader_->read(list_, line, nullptr); }

 private:
  std::shared_ptr<const SourceReader> reader_;
  ItemList list_;
};

/// Calls `answer` for kItemsTogether items at a time and joins the answers.
template <class Answer, class AnswerPart>
std::vector<Answer> in_parts(std::size_t items, const AnswerPart& answer) {
  std::vector<Answer> all;
  for (std::size_t begin = 0; begin < items; begin += kItemsTogether) {
    std::vector<Answer> part = answer(begin, std::min(kItemsTogether, items - begin));
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

/// The names of the places that vectors of an item stand for: "row,column" in an image, otherwise numbers,
/// from 1.
std::vector<std::string> place_names(const SourceSettings&, std::size_t vectors);
/// Adds an item to rows.
void add_to(TokenRows&, const SourceItem&);

}  // namespace gloss
