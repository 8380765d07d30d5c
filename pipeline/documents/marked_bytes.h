// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/mark.h"
#include "pipeline/documents/section_ends.h"

namespace gloss {

/// A text with inline markup, found in a document.
struct MarkedBytes {
  ByteRange bytes{};          ///< of the document, from the first word to the last one with the marks between
  std::string text{};         ///< one line, with single spaces
  std::vector<Mark> marks{};  ///< in the order of the text
  std::vector<KeptText> kept{};  ///< the same
  SectionEnds section{};         ///< of the bytes
};

/// True if a text has a letter to translate.
bool has_letters(std::string_view text);
/// True if it has one outside of kept pieces.
bool has_letters(const MarkedBytes& marked);

/// Joins text and marks to a line.
class MarkedLine {
 public:
  void add_text(std::string_view text);
  void add(Mark mark);
  void add_kept(std::string_view text, std::string_view bytes);
  /// The line without white space at its ends, and without bytes.
  MarkedBytes finish() &&;

 private:
  void add_due_space();

  MarkedBytes line_;
  bool space_due_ = false;
};

}  // namespace gloss
