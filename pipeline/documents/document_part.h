// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_range.h"
#include "base/checksum.h"
#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/mark.h"
#include "pipeline/documents/section_ends.h"

namespace gloss {

/// The value of an attribute in the markup of a text, which is translated.
struct AttributeText {
  std::size_t mark = 0;   ///< number of the mark that has it
  ByteRange in_mark{};    ///< its place in the bytes of the mark, with its quotes
  ByteRange in_source{};  ///< the same in the source of the text
  std::string text{};     ///< as one line
  char quote = '"';       ///< for its translation
};

/// A piece of a document: bytes to write, then text to translate.
struct DocumentPart {
  std::string before{};          ///< bytes to write before the text
  std::string source{};          ///< the bytes of the text in the document; empty: the part has none
  std::string text{};            ///< the text as one line for the translator
  std::vector<Mark> marks{};     ///< inline markup of the text
  std::vector<KeptText> kept{};  ///< pieces of the text that its translation has as they are
  std::int64_t line = 1;         ///< of its file at which the text begins, counted from 1
  std::int64_t input_line = 1;   ///< the same line of all files, joined
  std::vector<AttributeText> attributes{};  ///< of its marks, in their order
  char quote = 0;  ///< of an attribute's value, which is the source with its quotes; 0: the text is none
  SectionEnds section{};  ///< of the source

  bool has_text() const { return !source.empty(); }
};

/// The number of bytes that a part adds to a window.
inline std::size_t byte_count(const DocumentPart& part) {
  return part.before.size() + part.source.size() + part.text.size() + part.marks.size() * sizeof(Mark);
}
/// Adds a part to the checksum of a stream.
inline void add_to(Checksum& sum, const DocumentPart& part) {
  sum.add(part.before);
  sum.add("\n");
  sum.add(part.source);
  sum.add("\n");
}

}  // namespace gloss
