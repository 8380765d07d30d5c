// SPDX-License-Identifier: Apache-2.0

#include "pipeline/records/pair_record.h"

#include <algorithm>

#include "base/enumeration.h"
#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {

namespace {

/// A text as one column of a row, or as one line.
void append_column(std::string& row, const std::string& text) {
  const std::size_t begin = row.size();
  row += text;
  if (text.find_first_of("\t\n") == std::string::npos) return;
  std::replace_if(
      row.begin() + static_cast<std::ptrdiff_t>(begin), row.end(),
      [](char c) { return c == '\t' || c == '\n'; }, ' ');
}

}  // namespace

std::string RecordColumns::header() const { return join(names, "\t"); }

std::string RecordColumns::row(const PairRecord& record) const {
  std::string row;
  row.reserve(byte_count(record) + record.other.size() + 1);
  std::size_t other = 0;
  const std::size_t columns = record.other.size() + (one_language ? 1 : 2);
  for (std::size_t column = 0; column < columns; ++column) {
    if (column > 0) row += '\t';
    if (column == source) {
      append_column(row, record.source);
    } else if (column == target && !one_language) {
      append_column(row, record.target);
    } else {
      append_column(row, record.other[other++]);
    }
  }
  return row;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

std::size_t other_column(const RecordColumns& columns, const std::string& column, const std::string& option) {
  std::size_t place = 0;
  const auto named = std::ranges::find(columns.names, column);
  if (named != columns.names.end()) {
    place = index(named - columns.names.begin());
  } else if (columns.names.empty() && parse_number(std::string_view(column), place) && place > 0) {
    --place;
  } else {
    throw UsageError(concat(
        option, ": there is no column '", column, "'; expected ",
        columns.names.empty() ? "its number, or names by --header" : enumeration(columns.names, "or")));
  }
  const bool target = !columns.one_language && place == columns.target;
  if (place == columns.source || target) {
    throw UsageError(concat(option, ": column '", column, "' is one of the texts; expected another one"));
  }
  const bool after_target = !columns.one_language && columns.target < place;
  return place - (columns.source < place ? 1 : 0) - (after_target ? 1 : 0);
}

void write_record(const PairRecord& record, const RecordColumns& columns, Output& rows, Output* targets) {
  if (targets == nullptr) return rows.line(columns.row(record));
  rows.line(one_line(record.source));
  targets->line(one_line(record.target));
}

}  // namespace gloss
