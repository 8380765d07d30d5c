// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "base/lines.h"

namespace gloss {

/// The files of a text: two parallel files; one with lines source TAB target; one of plain text, whose lines
/// are sources without targets; one with lines label TAB text (or label TAB text TAB text), whose texts are
/// sources and whose labels are targets; or one with stories (stories.h), whose stories and questions are
/// sources and whose answers are targets; or a list of items that are not text (item_list.h), with lines path
/// TAB label, or an idx archive of them and one of their labels, or items with texts: two parallel files, an
/// item list or archive and a text, or a list with lines path TAB text. Compressed files (.gz, .zst), pipes
/// and
/// "-" are copied, decompressed, to a temporary file.
struct ParallelFiles {
  std::string source{}, target{}, tsv{};
  std::string line_weights{};  ///< a number for each pair; empty: 1
  std::string links{};         ///< a line of links between words for each pair; empty: none
  std::string plain{};
  std::string language{};  ///< of plain text; empty: unknown
  std::string labelled{};
  std::string stories{};
  std::string items{};        ///< a list, or an archive
  std::string item_labels{};  ///< the labels of an archive
  bool item_texts = false;    ///< items have texts: those of `target`, or the second column of a list
  std::int64_t max_line_bytes = kLongestLine;
  bool empty() const {
    return source.empty() && target.empty() && tsv.empty() && plain.empty() && labelled.empty() &&
           stories.empty() && items.empty();
  }
  /// The form of a line of an annotated text, for messages.
  std::string form() const {
    if (!items.empty()) return item_texts ? "path TAB text" : "path TAB label";
    return stories.empty() ? "label TAB text" : "story TAB question TAB answer";
  }
  /// The names for messages.
  std::string text() const {
    if (!plain.empty()) return plain;
    if (!labelled.empty()) return labelled;
    if (!stories.empty()) return stories;
    if (!items.empty()) {
      const std::string& beside = item_texts ? target : item_labels;
      return beside.empty() ? items : items + ", " + beside;
    }
    if (!tsv.empty()) return tsv;
    return source == target ? source : source + ", " + target;
  }
};
/// The fields `source`, `target` and `tsv` with `prefix` before their names; `what` is the text's use.
Fields fields_of(ParallelFiles&, const std::string& prefix, const std::string& what);
/// Throws UsageError unless both files or the tsv file are given.
void check(const ParallelFiles&, const std::string& prefix);
/// Parallel files, or a tsv file, whose source names items that are not text.
ParallelFiles with_items(ParallelFiles);
/// Throws InputError if one of the files cannot be opened; does not check pipes, as that would consume input.
void expect_readable(const ParallelFiles&);

}  // namespace gloss
