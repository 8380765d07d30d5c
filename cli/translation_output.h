#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "base/fields.h"
#include "base/files.h"
#include "pipeline/translation.h"

namespace gloss {

enum class OutputFormat { text, json };

/// How translations are written.
struct TranslationOutputSettings {
  OutputFormat format = OutputFormat::text;
  bool scores = false;
  bool n_best = false;  ///< all translations of a line instead of the best
};
/// Also the settings of what is told about words, which the translator must make.
Fields fields_of(TranslationOutputSettings&, TranslationSettings&);
/// What the formats look like, for the help of translate.
extern const char* const kTranslationFormats;

/// Writes translated lines; `first` is the number of the first, counted from 0.
void write_translations(std::int64_t first, std::span<const TranslatedLine> lines,
                        const TranslationOutputSettings&, const TranslationSettings&, Output&);

/// Numbers of scores as all commands write them.
std::string score_text(double score);
/// Log-probabilities of words and, at last, of the end, with spaces between.
std::string word_scores_text(const std::vector<TranslatedWord>&, double end_log_probability);
/// The same as objects with "text" and "log_probability".
nlohmann::json words_json(const std::vector<TranslatedWord>&);

}  // namespace gloss
