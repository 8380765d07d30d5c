#pragma once

#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/metrics/figures.h"

namespace gloss {

/// What to read for an evaluation.
struct TestSetFiles {
  std::vector<std::string> references;  ///< files, "-" for standard input
  int reference_columns = 1;            ///< references in each line, divided by tabs, at most
  std::vector<std::string> systems;     ///< files; none: standard input, systems divided by tabs
  std::string documents;                ///< file of document ids, or empty
};

/// Translations and their references, line by line; all valid UTF-8 without white space at line ends.
struct TestSet {
  std::vector<std::string> names;                 ///< of the systems
  std::vector<std::vector<std::string>> systems;  ///< lines of each system
  References references;                          ///< of each segment
  std::vector<std::size_t> documents;             ///< of each segment, counted from 0; empty if not asked for

  /// How many references each segment has: a number, or "var".
  std::string reference_count() const;
};

/// The name of an input in messages: its path, or "standard input" for "-".
std::string input_name(const std::string& path);

/// Reads each file once. Throws InputError for files of different length, with the likely mistake; tells
/// `listener` of byte order marks (which are left out), empty references and tests of a single line.
TestSet read_test_set(const TestSetFiles&, Listener& listener);

/// Reads lines of which each holds one answer, such as a label: of one file of references, and of each system
/// or, if there is none, of standard input. Throws InputError for files of different length or without lines.
TestSet read_answers(const TestSetFiles&, Listener& listener);

/// Warns of translations that look tokenised although the tokenizer expects plain text, and of the reverse.
void check_tokenization(const TestSet&, const std::string& tokenizer, Listener& listener);

}  // namespace gloss
