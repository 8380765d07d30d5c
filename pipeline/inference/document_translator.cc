// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/document_translator.h"

#include <utility>

namespace gloss {
namespace {

TranslatedPart put_back(const DocumentPart& part, TranslatedLine line) {
  TranslatedPart result{std::move(line), part.before, !part.source.empty()};
  const std::string& translation = result.translations.front().text;
  const bool keeps = !result.problem.empty() || translation == part.text;
  result.bytes += keeps ? part.source : translation;
  if (!result.has_text) result.empty = false;  // nothing is missing
  return result;
}

}  // namespace

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
