// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/documents/document_part.h"
#include "pipeline/documents/marked_text.h"
#include "pipeline/documents/protection.h"
#include "pipeline/translation/paragraph_translator.h"

namespace gloss {

/// The translation of a part of a document.
struct TranslatedPart : TranslatedLine {
  std::string bytes{};          ///< for the document: what is copied, then the translation
  bool has_text = true;         ///< false: bytes were copied only
  std::int64_t input_line = 1;  ///< DocumentPart::input_line
};

/// Translates the parts of documents and the attributes of their marks. Markup follows the words
/// (text_with_marks). What the translator leaves as it is keeps its bytes.
class DocumentTranslator {
 public:
  /// `paragraphs` and `protection` must outlive this object; translations must have links if parts have marks
  /// or anything is protected. Texts of more than `longest` bytes are not translated; their answers have a
  /// problem.
  DocumentTranslator(ParagraphTranslator& paragraphs, WriteText written, const Protection& protection,
                     std::int64_t longest = std::numeric_limits<std::int64_t>::max())
      : paragraphs_(paragraphs), written_(std::move(written)), protection_(protection), longest_(longest) {}

  /// One result per part, as ParagraphTranslator::translate.
  std::vector<TranslatedPart> translate(std::span<const DocumentPart> parts,
                                        const std::function<void(int parts)>& finished, std::int64_t first);

 private:
  /// The part with its translation and those of its attributes.
  TranslatedPart put_back(const DocumentPart& part, TranslatedLine line,
                          std::span<const TranslatedLine> attributes) const;
  /// The text of an attribute with its quotes, and with its bytes if its translation is the same or there is
  /// a problem, which is that of the part too.
  std::string attribute_bytes(std::string_view text, char quote, std::string_view source,
                              const TranslatedLine& line, std::string& problem) const;

  /// Translates the texts of parts; those of one part have one number.
  std::vector<TranslatedLine> translate_texts(std::vector<std::string> texts,
                                              std::span<const std::int64_t> numbers,
                                              const std::function<void(int texts)>& finished);

  ParagraphTranslator& paragraphs_;
  WriteText written_;
  const Protection& protection_;
  std::int64_t longest_;
};

}  // namespace gloss
