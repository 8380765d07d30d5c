// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/translation_output.h"

#include "base/json.h"
#include "base/text.h"

namespace gloss {
namespace {

std::string alignment_text(const Translation& translation, Alignment alignment) {
  return alignment == Alignment::hard ? hard_alignment_text(translation.alignment)
                                      : soft_alignment_text(translation.alignment);
}

std::string best_line(const Translation& best, const TranslationOutputSettings& settings, Alignment alignment,
                      bool word_scores) {
  std::string line;
  if (settings.scores) line += score_text(best.score) + "\t";
  line += best.text;
  if (word_scores) line += "\t" + word_scores_text(best.words, best.end_log_probability);
  if (alignment != Alignment::none) line += "\t" + alignment_text(best, alignment);
  return line;
}

std::string n_best_line(std::int64_t number, const Translation& translation, Alignment alignment,
                        bool word_scores) {
  std::string features =
      concat("LogProbability= ", score_text(translation.log_probability), " Tokens= ", translation.tokens);
  if (word_scores) {
    features += " WordScores= " + word_scores_text(translation.words, translation.end_log_probability);
  }
  std::string line =
      concat(number, " ||| ", translation.text, " ||| ", features, " ||| ", score_text(translation.score));
  if (alignment != Alignment::none) line += " ||| " + alignment_text(translation, alignment);
  return line;
}

nlohmann::json alignment_json(const WordAlignment& words, Alignment alignment) {
  nlohmann::json rows = nlohmann::json::array();
  for (int target = 0; target < words.targets(); ++target) {
    if (alignment == Alignment::hard) {
      rows.push_back({words.best_source(target), target});
    } else {
      const auto first = words.weights.begin() + std::ptrdiff_t{target} * words.sources;
      rows.push_back(std::vector<float>(first, first + words.sources));
    }
  }
  return rows;
}

nlohmann::json translation_json(const Translation& translation, Alignment alignment, bool word_scores) {
  nlohmann::json object = {{"text", translation.text},
                           {"score", translation.score},
                           {"log_probability", translation.log_probability},
                           {"tokens", translation.tokens},
                           {"cut", translation.cut != Cut::none}};
  if (translation.missing > 0) object["missing_terms"] = translation.missing;
  if (word_scores) {
    object["words"] = words_json(translation.words);
    object["end_log_probability"] = translation.end_log_probability;
  }
  if (alignment != Alignment::none) object["alignment"] = alignment_json(translation.alignment, alignment);
  return object;
}

}  // namespace

const char* const kTranslationFormats =
    "Output: one line for each input line, in the same order; an empty or blank line\n"
    "gives an empty one. Only '\\n' ends a line.\n"
    "  --scores       SCORE<tab>TRANSLATION\n"
    "  --word-scores  TRANSLATION<tab>log-probabilities of its words and of the end\n"
    "  --alignment    TRANSLATION<tab>ALIGNMENT (after word scores). hard: a pair\n"
    "                 SOURCE-TARGET of word numbers from 0 for each target word; soft:\n"
    "                 the weights of each target word, separated by commas\n"
    "  --n-best       LINE ||| TRANSLATION ||| FEATURES ||| SCORE, best first, at most\n"
    "                 N for each line and one for an empty line; LINE counts from 0.\n"
    "                 FEATURES: LogProbability= X Tokens= N, and WordScores=; an\n"
    "                 alignment is a further field\n"
    "  --format json  an object per line: {\"line\": from 0, \"translations\": [{\"text\",\n"
    "                 \"score\", \"log_probability\", \"tokens\", \"cut\", ...}, ...]}\n"
    "SCORE = log-probability / length^A + B * coverage: the natural logarithm of the\n"
    "probability of all tokens and the end token, the length in tokens including the\n"
    "end, A from --length-penalty, B from --coverage-penalty. Words are separated by\n"
    "spaces. The translation of a line never depends on batch size, other lines or\n"
    "threads; with --sample it also depends on the seed and the line number.\n"
    "--format paragraphs reads text whose paragraphs are separated by blank lines. Each\n"
    "becomes one line, sentence by sentence; all around them is copied. --format html\n"
    "reads a page and copies everything but its texts; inline tags follow the words.\n"
    "--format xliff translates the sources of XLIFF 1 and 2 into their targets. With\n"
    "html and xliff, --target-language CODE names the language of the translation in the\n"
    "document, for any model.\n";

Fields fields_of(TranslationOutputSettings& output, TranslationSettings& settings) {
  return {{"format", choice(output.format, {"text", "json", "paragraphs", "html", "xliff"}),
           "lines as text or JSON, or documents: text with paragraphs, HTML, XLIFF"},
          {"scores", &output.scores, "write the score and a tab before each translation"},
          {"word_scores", &settings.word_scores, "add the log-probability of each word"},
          {"alignment", choice(settings.alignment, {"none", "hard", "soft"}),
           "add a word alignment, taken from the attention of the last layer"}};
}

std::string score_text(double score) {
  constexpr int kDigits = 6;
  return fixed_text(score, kDigits);
}

std::string word_scores_text(const std::vector<TranslatedWord>& words, double end_log_probability) {
  std::string text;
  for (const TranslatedWord& word : words) text += score_text(word.log_probability) + " ";
  return text + score_text(end_log_probability);
}

nlohmann::json words_json(const std::vector<TranslatedWord>& words) {
  nlohmann::json list = nlohmann::json::array();
  for (const TranslatedWord& word : words) {
    list.push_back({{"text", word.text}, {"log_probability", word.log_probability}});
  }
  return list;
}

void write_translations(std::int64_t number, const TranslatedLine& line,
                        const TranslationOutputSettings& settings, const TranslationSettings& made,
                        Output& output) {
  const std::size_t count = settings.n_best ? line.translations.size() : 1;
  const std::span<const Translation> translations = std::span(line.translations).first(count);
  if (settings.format == TranslationFormat::json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Translation& translation : translations) {
      list.push_back(translation_json(translation, made.alignment, made.word_scores));
    }
    output.line(json_line({{"line", number}, {"translations", list}}));
  } else if (settings.n_best) {
    for (const Translation& translation : translations) {
      output.line(n_best_line(number, translation, made.alignment, made.word_scores));
    }
  } else {
    output.line(best_line(translations.front(), settings, made.alignment, made.word_scores));
  }
}

}  // namespace gloss
