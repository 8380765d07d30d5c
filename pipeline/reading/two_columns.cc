// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/two_columns.h"

#include <utility>
#include <vector>

namespace gloss {

TwoColumns::TwoColumns(const std::string& path, Settings settings)
    : path_(path), settings_(std::move(settings)), reader_(path) {}

bool TwoColumns::next() {
  std::string line;
  do {
    if (!reader_.next(line)) {
      if (lines_ > 0) return false;
      throw InputError(
          concat(path_, " has no lines; expected lines '", settings_.first, " TAB ", settings_.second, "'"));
    }
  } while (is_blank(line));
  const std::vector<std::string> columns = split(line, '\t');
  if (columns.size() != 2) {
    throw wrong("found ", columns.size(), columns.size() == 1 ? " column" : " columns", ", expected 2 (",
                settings_.first, " TAB ", settings_.second, ")");
  }
  first_ = settings_.clean(columns[0]);
  second_ = settings_.clean(columns[1]);
  if (is_blank(first_) || is_blank(second_)) {
    throw wrong("the ", is_blank(first_) ? settings_.first : settings_.second, " is empty");
  }
  ++lines_;
  return true;
}

}  // namespace gloss
