// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/metrics/figures.h"

namespace gloss {

/// The files of an evaluation.
struct TestSetFiles {
  std::vector<std::string> references;  ///< files; "-" is standard input
  int reference_columns = 1;            ///< maximum number of references per line, separated by tabs
  std::vector<std::string> systems;     ///< files; none: standard input with systems separated by tabs
  std::string documents;                ///< file of document ids, or empty
  std::string source;                   ///< file of the source of each segment, or empty
  /// Of answers to stories: the right ones, read from the file of references; empty: its lines are the
  /// answers.
  std::vector<std::string> right_answers{};
  bool strip_byte_order_mark = false;  ///< of translations and references; that of other files is removed
};

/// Translations and their references by line, in valid UTF-8 without trailing white space.
struct TestSet {
  std::vector<std::string> names;                 ///< names of the systems
  std::vector<std::vector<std::string>> systems;  ///< lines by system
  References references;                          ///< references by segment; empty ones only where all are
  std::vector<std::size_t> documents;  ///< document numbers from 0 by segment; empty without documents

  std::vector<std::string> source;  ///< by segment; empty without a file

  /// The number of references per segment, or "var" if it varies.
  std::string reference_count() const;
};

/// Reads each file once. Of several references for a segment, empty ones are padding and left out. Throws
/// InputError with the likely mistake for files of different lengths; warns about byte order marks, invalid
/// text, empty references and test sets of a single line, and notes which files were converted to UTF-8.
TestSet read_test_set(const TestSetFiles&, Listener& listener);

/// Reads files with one answer per line, such as a label: one file of references, and the systems' files or
/// standard input. Throws InputError for files that are empty or of different lengths.
TestSet read_answers(const TestSetFiles&, Listener& listener);

/// Warns once for all systems if translations look tokenised but the tokenizer expects untokenised text, or
/// vice versa.
void check_tokenization(const TestSet&, const std::string& tokenizer, Listener& listener);

}  // namespace gloss
