// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/document_translator.h"

#include <utility>

namespace gloss {

TranslatedPart DocumentTranslator::put_back(const DocumentPart& part, TranslatedLine line) const {
  TranslatedPart result{std::move(line), part.before, !part.source.empty(), part.input_line};
  const Translation& best = result.translations.front();
  if (!result.problem.empty() || best.text == part.text) {
    result.bytes += part.source;
  } else {
    const std::vector<KeptText> kept = protection_.find(part.text, part.kept);
    result.bytes += text_with_marks({part.text, part.marks, kept}, best.text, best.links, written_);
  }
  if (!result.has_text) result.empty = false;  // nothing is missing
  return result;
}

std::vector<TranslatedPart> DocumentTranslator::translate(std::span<const DocumentPart> parts,
                                                          const std::function<void(int parts)>& finished,
                                                          std::int64_t first) {
  std::vector<std::string> texts;
  for (const DocumentPart& part : parts) texts.push_back(part.text);
  std::vector<TranslatedLine> lines = paragraphs_.translate(texts, finished, first);
  std::vector<TranslatedPart> results;
  for (std::size_t i = 0; i < parts.size(); ++i) results.push_back(put_back(parts[i], std::move(lines[i])));
  return results;
}

}  // namespace gloss
