// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/translation_streams.h"

#include <limits>

#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands/translation_report.h"
#include "pipeline/documents/html_document.h"
#include "pipeline/documents/marked_text.h"
#include "pipeline/documents/paragraph_files.h"
#include "pipeline/documents/whole_document.h"
#include "pipeline/documents/xliff_document.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/translation/document_translator.h"
#include "pipeline/translation/translation_totals.h"

namespace gloss {
namespace {

/// For the closing note.
std::string repeats_text(std::int64_t repeats, bool split) {
  return repeats == 0 ? "" : concat(", ", counted(repeats, split ? "repeated sentence" : "repeated line"));
}

std::string unchanged(std::string_view text) { return std::string(text); }

/// Restores what the translations of lines must keep.
void restore(const Protection& protection, std::span<const std::string> lines,
             std::vector<TranslatedLine>& answers) {
  for (std::size_t i = 0; i < lines.size() && !protection.empty(); ++i) {
    if (!answers[i].problem.empty() || answers[i].empty) continue;
    const std::vector<KeptText> kept = protection.find_or_report(lines[i], answers[i].problem);
    if (!answers[i].problem.empty()) answers[i].translations.assign(1, {});
    for (Translation& translation : answers[i].translations) {
      translation.text =
          text_with_marks({lines[i], {}, kept}, std::move(translation.text), translation.links, unchanged);
    }
  }
}

bool has_text(const TranslatedLine&) { return true; }
bool has_text(const TranslatedPart& part) { return part.has_text; }

/// The line of the whole input at which an item begins, counted from 1; `number` counts items from 0.
std::int64_t input_line(std::int64_t number, const TranslatedLine&) { return number + 1; }
std::int64_t input_line(std::int64_t, const TranslatedPart& part) { return part.input_line; }

/// Translates a stream of lines or parts of a document; `write` writes the answer to an item.
template <class Item, class Answer>
std::string translate_stream(InputStream<Item>& input, AnswerSteps<Item, Answer> steps,
                             const StreamTranslation& translation) {
  StreamReport report(input, translation.terminal,
                      {.limit = concat(translation.settings.max_source_tokens,
                                       ", by --max-source-tokens or the positions of the model")});
  TranslationTotals totals;
  std::int64_t texts = translation.run.answers().done();
  steps.problem_costs = ProblemCosts::answer;
  steps.write = [&, write = steps.write](std::int64_t number, Answer& answer) {
    write(number, answer);
    const std::vector<Shortcoming> found = count_shortcomings(answer, translation.usual, report);
    totals.add(answer, found);
    if (translation.run.further() != nullptr) {
      write_report(input_line(number, answer), found, *translation.run.further());
    }
    if (has_text(answer)) ++texts;
  };
  answer_stream(input, steps, translation.run.answers(), report);
  if (translation.drafter != nullptr) totals.add(translation.drafter->counts());
  std::int64_t repeats = translation.translator.repeats();
  std::vector<std::int64_t*> counts = totals.counts();
  counts.insert(counts.end(), {&texts, &repeats});
  translation.run.close(report, counts);
  if (const std::string why = totals.missing_drafts(); !why.empty()) translation.terminal.note(why);
  translation.terminal.note(concat(
      texts, " ", texts == 1 ? singular(input.unit()) : input.unit(), translation.run.circumstances(),
      repeats_text(repeats, translation.translator.splits()), ", ",
      texts > 0 && texts == translation.run.earlier() ? "nothing left to translate" : totals.summary(),
      translation.drafter != nullptr ? totals.drafts() : "", ", in ", fixed_text(report.seconds(), 1), " s",
      report.summary(), totals.problems(),
      totals.has_problems() && !translation.run.has_further() ? "; --report FILE lists these lines" : ""));
  if (report.problems() == 0) return "";
  return concat(report.problems(), " of ", texts, " ", input.unit(), " have no translation, but ",
                is_document(translation.format.format) ? "their own text" : "empty lines",
                " instead; the warnings say why");
}

}  // namespace

std::string translate_lines(InputStream<std::string>& input, const StreamTranslation& translation) {
  const AnswerSteps<std::string, TranslatedLine> steps{
      .answer =
          [&](std::span<const std::string> lines, std::int64_t first, const auto& finished) {
            std::vector<TranslatedLine> answers = translation.translator.translate(lines, finished, first);
            restore(translation.protection, lines, answers);
            return answers;
          },
      .write =
          [&](std::int64_t number, const TranslatedLine& line) {
            write_translations(number, line, translation.format, translation.settings,
                               translation.run.output());
          },
      .numbered = translation.format.n_best || translation.format.format == TranslationFormat::json ||
                  translation.settings.search.sampling.sample || translation.run.has_further()};
  return translate_stream(input, steps, translation);
}

std::unique_ptr<InputStream<DocumentPart>> open_document(const std::vector<std::string>& files,
                                                         TranslationFormat format,
                                                         const DocumentSettings& settings) {
  if (format == TranslationFormat::paragraphs)
    return std::make_unique<ParagraphFiles>(files, settings.max_line_bytes);
  if (files.size() > 1) {
    throw UsageError(concat("found the files ", files[0], " and ", files[1],
                            ", expected one: documents are translated one at a time"));
  }
  return std::make_unique<WholeDocument>(
      files.front(), [&settings, format](std::string_view bytes, const std::string& name) {
        return format == TranslationFormat::html ? html_parts(bytes, name, settings.language)
                                                 : xliff_parts(bytes, name, settings.language);
      });
}

std::string translate_document(InputStream<DocumentPart>& input, const DocumentSettings& settings,
                               const StreamTranslation& translation) {
  constexpr auto kAnyLength = std::numeric_limits<std::int64_t>::max();
  const TranslationFormat format = translation.format.format;
  const WriteText written = format == TranslationFormat::paragraphs ? unchanged
                            : format == TranslationFormat::html     ? html_written
                                                                    : xml_written;
  DocumentTranslator translator(translation.translator, written, translation.protection,
                                has_markup(format) ? settings.max_line_bytes : kAnyLength);
  const AnswerSteps<DocumentPart, TranslatedPart> steps{
      .answer = [&](const auto& parts, std::int64_t first,
                    const auto& finished) { return translator.translate(parts, finished, first); },
      .write = [&](std::int64_t, const TranslatedPart& part) { translation.run.output().write(part.bytes); }};
  return translate_stream(input, steps, translation);
}

}  // namespace gloss
