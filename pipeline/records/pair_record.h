// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/output.h"

namespace gloss {

/// A pair of a corpus with everything that its file has beside it; of one language alone, a source.
struct PairRecord {
  std::string source, target;
  std::vector<std::string> other{};  ///< the other columns, in their order
  std::int64_t line = 0;             ///< of the file, counted from 1; of TMX, the line where the unit begins
  bool cut = false;      ///< a line was longer than the limit and has lost its end, perhaps its target
  std::string broken{};  ///< why the file has no pair here; empty: it has one
};

/// The number of bytes that a record adds to a window.
inline std::size_t byte_count(const PairRecord& record) {
  std::size_t bytes = record.source.size() + record.target.size() + record.broken.size();
  for (const std::string& column : record.other) bytes += column.size();
  return bytes;
}
/// Adds a record to the checksum of a stream.
inline void add_to(Checksum& sum, const PairRecord& record) {
  for (const std::string* const text : {&record.source, &record.target, &record.broken}) {
    sum.add(*text);
    sum.add("\t");
  }
  for (const std::string& column : record.other) {
    sum.add(column);
    sum.add("\t");
  }
  sum.add("\n");
}

/// The columns of the rows that records become.
struct RecordColumns {
  std::vector<std::string> names{};    ///< of all columns; empty: the rows have no header
  std::size_t source = 0, target = 1;  ///< their places among all columns
  bool one_language = false;           ///< there is no target

  /// The row with the names of the columns.
  std::string header() const;
  /// A record as a row. A tab or the end of a line within a text becomes a space.
  std::string row(const PairRecord&) const;
};

/// A text as one line without tabs: these, and the ends of lines, become spaces.
std::string one_line(std::string text);
/// The place among a record's other columns of the column that is named, or counted from 1, as the value of
/// `option` says. Throws UsageError if there is none, or if it is a text.
std::size_t other_column(const RecordColumns&, const std::string& column, const std::string& option);

/// Writes a record as a row. With an output for `targets`, writes its texts as lines of two outputs.
void write_record(const PairRecord&, const RecordColumns&, Output& rows, Output* targets);

}  // namespace gloss
