// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/documents/document_part.h"
#include "pipeline/inference/paragraph_translator.h"

namespace gloss {

/// The translation of a part of a document.
struct TranslatedPart : TranslatedLine {
  std::string bytes{};   ///< for the document: what is copied, then the translation
  bool has_text = true;  ///< false: bytes were copied only
};

/// Translates the parts of documents. What the translator leaves as it is keeps its bytes.
class DocumentTranslator {
 public:
  /// `paragraphs` must outlive this object.
  explicit DocumentTranslator(ParagraphTranslator& paragraphs) : paragraphs_(paragraphs) {}

  /// One result per part, as ParagraphTranslator::translate.
  std::vector<TranslatedPart> translate(std::span<const DocumentPart> parts,
                                        const std::function<void(int parts)>& finished, std::int64_t first);

 private:
  ParagraphTranslator& paragraphs_;
};

}  // namespace gloss
