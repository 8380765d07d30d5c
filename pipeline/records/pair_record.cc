// SPDX-License-Identifier: Apache-2.0

#include "pipeline/records/pair_record.h"

#include <algorithm>

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

void write_record(const PairRecord& record, const RecordColumns& columns, Output& rows, Output* targets) {
  if (targets == nullptr) return rows.line(columns.row(record));
  rows.line(one_line(record.source));
  targets->line(one_line(record.target));
}

}  // namespace gloss
