// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/sentence_alignment.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/text.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/stream_report.h"
#include "pipeline/sentence_alignment/sentence_aligner.h"
#include "pipeline/tasks/embedder.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/length_limits.h"
#include "pipeline/translation/translator.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// All lines of a file as valid UTF-8. Throws InputError if there are none.
std::vector<std::string> lines_of(const std::string& path, std::int64_t longest, Listener& listener) {
  TextFiles input({path}, longest);
  StreamReport report(input, listener);
  std::vector<std::string> lines;
  for (std::string line; input.next(line);) {
    const CleanText clean = clean_text(line, Normalization::none);
    report.add({.replaced = clean.replaced, .empty = is_blank(line)});
    lines.emplace_back(trimmed(clean.text));
  }
  report.finish();
  if (std::ranges::all_of(lines, [](const std::string& line) { return is_blank(line); })) {
    throw InputError(input_name(path) + " has no sentences; expected one in each line");
  }
  return lines;
}

/// The sentences of a document; an empty line ends a paragraph unless there is only one.
DocumentSide side_of(std::vector<std::string> lines, bool one_paragraph) {
  DocumentSide side;
  bool ended = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_blank(lines[i])) {
      ended = !side.sentences.empty() && !one_paragraph;
      continue;
    }
    if (std::exchange(ended, false)) side.paragraph_starts.push_back(std::ssize(side.sentences));
    side.lines.push_back(static_cast<std::int64_t>(i));
    side.sentences.push_back(std::move(lines[i]));
  }
  return side;
}

void expect_parallel_paragraphs(const ParallelDocument& document, const ParallelFiles& files) {
  const std::size_t sources = document.source.paragraph_starts.size(),
                    targets = document.target.paragraph_starts.size();
  if (sources == targets) return;
  const bool more = sources > targets;
  const DocumentSide& longer = more ? document.source : document.target;
  const std::int64_t line = longer.lines[index(longer.paragraph_starts[std::min(sources, targets)])] + 1;
  throw InputError(concat(input_name(files.source), " has ", counted(sources, "paragraph"), " and ",
                          input_name(files.target), " ", targets, ": the one from ",
                          input_name(more ? files.source : files.target), ":", line,
                          " on is too many. Separate the same paragraphs in both by empty lines, or ignore "
                          "empty lines with --one-paragraph"));
}

/// The given translations of the source sentences.
std::vector<std::string> given_translations(const SentenceAlignmentRequest& request,
                                            const DocumentSide& source, std::size_t source_lines,
                                            Listener& listener) {
  const std::string& path = request.settings.translated;
  std::vector<std::string> lines = lines_of(path, request.files.max_line_bytes, listener), translated;
  if (lines.size() != source_lines) {
    throw InputError(concat(input_name(path), " has ", counted(lines.size(), "line"), " and ",
                            input_name(request.files.source), " ", source_lines,
                            "; expected a translation of each line"));
  }
  for (const std::int64_t line : source.lines) translated.push_back(std::move(lines[index(line)]));
  return translated;
}

/// Shows how many of the sentences a model has read.
class SentenceProgress {
 public:
  SentenceProgress(std::size_t total, std::string doing, Listener& listener) : listener_(listener) {
    progress_.total = static_cast<std::int64_t>(total);
    progress_.unit = "sentences";
    progress_.details = std::move(doing);
  }
  std::function<void(int)> counter() {
    return [this](int more) {
      progress_.done += more;
      listener_.progress(progress_);
    };
  }

 private:
  Listener& listener_;
  Progress progress_;
};

/// Calls `use(part)` with the places of the next sentences until all were used: a model reads a part at once.
void each_part(std::size_t sentences, const std::function<void(std::size_t first, std::size_t count)>& use) {
  constexpr std::size_t kAtOnce = 8192;
  for (std::size_t first = 0; first < sentences; first += kAtOnce)
    use(first, std::min(kAtOnce, sentences - first));
}

void translate(SentenceAlignmentRequest& request, const TextModels& models, ParallelDocument& document,
               Listener& listener) {
  limit_lengths(models, request.translation);
  const TextModel& model = models.first();
  const Translator translator(models.decoder(), *model.source, *model.target, model.format.normalization,
                              request.translation, request.threads, model.frame);
  const std::span<const std::string> sentences = document.source.sentences;
  SentenceProgress progress(sentences.size(), "translating", listener);
  each_part(sentences.size(), [&](std::size_t first, std::size_t count) {
    for (TranslatedLine& line : translator.translate(sentences.subspan(first, count), progress.counter())) {
      document.translated.push_back(std::move(line.translations.front().text));
    }
  });
}

SideVectors embeddings_of(const DocumentSide& side, const Embedder& embedder, Listener& listener) {
  const std::span<const std::string> sentences = side.sentences;
  SideVectors vectors(std::ssize(sentences), embedder.width());
  SentenceProgress progress(sentences.size(), "embedding", listener);
  each_part(sentences.size(), [&](std::size_t first, std::size_t count) {
    const std::vector<EmbeddedLine> lines =
        embedder.embed(sentences.subspan(first, count), progress.counter());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::ranges::copy(lines[i].vector, vectors[static_cast<std::int64_t>(first + i)].begin());
    }
  });
  return vectors;
}

void embed(const SentenceAlignmentRequest& request, TextModel& model, ParallelDocument& document,
           Listener& listener) {
  const bool has_languages = form_of(model.model.settings) == Form::encoder_decoder;
  const Embedder embedder(model, {Pooling::mean, request.translation.batches}, request.threads);
  document.vectors.source = embeddings_of(document.source, embedder, listener);
  if (has_languages) model.frame.source = source_frame(model.format, request.languages.target);
  document.vectors.target = embeddings_of(document.target, embedder, listener);
}

void use_model(SentenceAlignmentRequest& request, ParallelDocument& document, Listener& listener) {
  SentenceEvidence& evidence = request.settings.evidence;
  TextModels models;
  models.weights = {1};
  AnswerSettings choice;
  choice.model = request.model;
  choice.precision = request.precision;
  choice.threads = request.threads;
  models.members.push_back(answering_model(choice, std::nullopt, listener));
  TextModel& model = models.members.front();
  expect_text(model, request.model);
  const bool translates = form_of(model.model.settings) == Form::encoder_decoder;
  if (evidence == SentenceEvidence::automatic) {
    evidence = translates ? SentenceEvidence::translations : SentenceEvidence::embeddings;
  }
  if (translates) choose_languages(models, request.languages);
  if (evidence == SentenceEvidence::embeddings) return embed(request, model, document, listener);
  expect_form(model.model.settings, Form::encoder_decoder, request.model);
  translate(request, models, document, listener);
}

void check(const SentenceAlignmentRequest& request) {
  const auto& [evidence, translated, one_paragraph, beads] = request.settings;
  const bool of_model =
      evidence == SentenceEvidence::embeddings || evidence == SentenceEvidence::translations;
  if (!request.files.tsv.empty() || request.files.source.empty() || request.files.target.empty()) {
    throw UsageError("--sentences aligns two files; give --source FILE and --target FILE");
  }
  expect_standard_input_once({request.files.source, request.files.target, translated});
  if (!translated.empty() && !request.model.empty()) {
    throw UsageError("--translated gives translations; leave out --model, or --translated to use the model");
  }
  if (!translated.empty() && evidence != SentenceEvidence::automatic &&
      evidence != SentenceEvidence::translations) {
    throw UsageError("--translated is for --evidence translations; leave out one of them");
  }
  if (!request.model.empty() && !of_model && evidence != SentenceEvidence::automatic) {
    throw UsageError("--model is for --evidence translations or embeddings; leave out one of them");
  }
  if (of_model && request.model.empty() && translated.empty()) {
    throw UsageError(concat("--evidence ",
                            evidence == SentenceEvidence::embeddings ? "embeddings" : "translations",
                            " requires --model DIR"));
  }
  if (evidence == SentenceEvidence::embeddings && !translated.empty()) {
    throw UsageError("--translated is for --evidence translations; leave out one of them");
  }
}

/// The sentences of a side of a bead as one, without tabs.
std::string joined(const DocumentSide& side, std::int64_t first, int count) {
  std::string text = join({side.sentences.begin() + first, side.sentences.begin() + first + count}, " ");
  std::ranges::replace(text, '\t', ' ');
  return text;
}

std::string numbers(const DocumentSide& side, std::int64_t first, int count) {
  std::string text = "[";
  for (std::int64_t i = first; i < first + count; ++i)
    text += concat(i == first ? "" : ", ", side.lines[index(i)]);
  return text + "]";
}

void write_bead(const Bead& bead, const ParallelDocument& document, bool as_numbers, Output& output) {
  const auto& [source, target] = std::tie(document.source, document.target);
  if (as_numbers) {
    output.line(
        concat(numbers(source, bead.source, bead.sources), ":", numbers(target, bead.target, bead.targets)));
  } else if (bead.is_pair()) {
    output.line(concat(joined(source, bead.source, bead.sources), "\t",
                       joined(target, bead.target, bead.targets), "\t", fixed_text(bead.score, 2)));
  }
}

}  // namespace

Fields fields_of(SentenceAlignment& settings) {
  return {{"evidence", choice(settings.evidence, {"auto", "lengths", "words", "translations", "embeddings"}),
           "what to compare: only lengths; also words, whose translations are learned from the text; also "
           "translations or embeddings by the model. auto: words, or what the model or --translated gives"},
          {"translated",
           &settings.translated,
           "file with a translation of each source line, to compare with the target",
           {},
           0,
           "FILE"},
          {"one_paragraph", &settings.one_paragraph,
           "ignore empty lines, which otherwise separate paragraphs that are aligned one by one"},
          {"beads", &settings.beads,
           "print line numbers from 0, such as [0, 1]:[0], in place of pairs; also of sentences without "
           "translation"}};
}

void write_sentence_pairs(SentenceAlignmentRequest request, Listener& listener) {
  check(request);
  Output output(request.output);  // opened before the long work: it may be that it cannot be written
  const std::int64_t longest = request.files.max_line_bytes;
  std::vector<std::string> source = lines_of(request.files.source, longest, listener);
  const std::size_t source_lines = source.size();
  ParallelDocument document{
      side_of(std::move(source), request.settings.one_paragraph),
      side_of(lines_of(request.files.target, longest, listener), request.settings.one_paragraph)};
  expect_parallel_paragraphs(document, request.files);
  if (!request.settings.translated.empty()) {
    document.translated = given_translations(request, document.source, source_lines, listener);
  }
  if (!request.model.empty()) use_model(request, document, listener);
  const bool compares = request.settings.evidence != SentenceEvidence::lengths;
  const Beads beads = align_sentences(document, compares ? SentenceWords::compared : SentenceWords::ignored,
                                      request.threads, listener);
  std::int64_t pairs = 0, sources = 0, targets = 0;
  for (const Bead& bead : beads) {
    write_bead(bead, document, request.settings.beads, output);
    pairs += bead.is_pair() ? 1 : 0;
    sources += bead.targets == 0 ? bead.sources : 0;
    targets += bead.sources == 0 ? bead.targets : 0;
  }
  output.close();
  listener.note(concat("aligned ", counted(document.source.sentences.size(), "source sentence"), " and ",
                       counted(document.target.sentences.size(), "target sentence"), " in ",
                       counted(pairs, "pair"), "; ", sources, " and ", targets, " have no translation"));
}

}  // namespace gloss
