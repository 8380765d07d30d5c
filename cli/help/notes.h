// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// A paragraph of a command's notes, or an item of a list in them.
struct Note {
  std::string term;      ///< of an item, such as "--format json"; empty: a paragraph
  std::string text;      ///< without line ends
  bool separate = true;  ///< an empty line precedes it
};

/// Splits notes: lines "  TERM  TEXT" begin items, lines that are indented more continue them, other lines
/// are paragraphs.
std::vector<Note> parse_notes(const std::string& notes);

}  // namespace gloss
