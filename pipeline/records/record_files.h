// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/lines.h"

namespace gloss {

/// Where the pairs of a corpus are: in two files, or in one file of another form. All but zip archives may be
/// compressed.
struct RecordFiles {
  std::string source{}, target{};        ///< two files
  std::string tsv{};                     ///< lines of columns
  std::string jsonl{};                   ///< lines of JSON objects
  std::string tmx{};                     ///< a translation memory
  std::string zip{};                     ///< a zip archive with two files (Moses format of OPUS)
  std::string plain{};                   ///< lines of one language
  std::vector<std::string> languages{};  ///< of source and target
  std::vector<std::string> columns{};    ///< names or numbers of the columns of source and target
  bool header = false;                   ///< the first line of `tsv` has the names of its columns
  bool skip_broken = false;              ///< what has no pair becomes a record that says why
  std::int64_t max_line_bytes = kLongestLine;

  /// The file, or both, for messages.
  std::string text() const;
  /// The files that are read.
  std::vector<std::string> paths() const;
};
/// The options of the files, of `--columns`, `--header`, `--languages`, `--skip-broken` and
/// `--max-line-bytes`.
Fields fields_of(RecordFiles&);
/// Throws UsageError unless the pairs are in one place, or if settings contradict the form of the file.
void check(const RecordFiles&);

}  // namespace gloss
