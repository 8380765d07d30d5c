// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "base/fields.h"
#include "base/output.h"
#include "pipeline/translation/translator.h"

namespace gloss {

enum class OutputFormat { text, json };

/// Lines as text or as JSON, or documents.
enum class TranslationFormat { text, json, paragraphs, html, xliff };
/// True for formats whose input is not lines.
constexpr bool is_document(TranslationFormat format) { return format >= TranslationFormat::paragraphs; }

/// True for formats whose texts have markup.
constexpr bool has_markup(TranslationFormat format) { return format >= TranslationFormat::html; }

/// How translations are written.
struct TranslationOutputSettings {
  TranslationFormat format = TranslationFormat::text;
  bool scores = false;
  bool n_best = false;  ///< all translations of a line instead of the best
};
/// Also the settings for scores and alignments of words, which the translator computes.
Fields fields_of(TranslationOutputSettings&, TranslationSettings&);
/// What the formats look like, for the help of translate.
extern const char* const kTranslationFormats;

/// Writes the translations of a line; `number` is counted from 0.
void write_translations(std::int64_t number, const TranslatedLine&, const TranslationOutputSettings&,
                        const TranslationSettings&, Output&);

/// Numbers of scores as all commands write them.
std::string score_text(double score);
/// Log-probabilities of words and, at last, of the end, with spaces between.
std::string word_scores_text(const std::vector<TranslatedWord>&, double end_log_probability);
/// The same as objects with "text" and "log_probability".
nlohmann::json words_json(const std::vector<TranslatedWord>&);

}  // namespace gloss
