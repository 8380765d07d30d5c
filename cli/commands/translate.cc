// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/shown.h"
#include "base/threads.h"
#include "cli/commands/profile_table.h"
#include "cli/commands/translation_report.h"
#include "cli/commands/translation_streams.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run.h"
#include "cli/lines/source_input.h"
#include "cli/lines/translation_output.h"
#include "cli/options/compute_options.h"
#include "cli/options/input_files.h"
#include "cli/options/options.h"
#include "cli/options/search_options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/text_models/precision.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/chosen_drafter.h"
#include "pipeline/translation/length_limits.h"
#include "pipeline/translation/paragraph_translator.h"
#include "tokenizer/language_tag.h"

namespace gloss {

namespace {

/// What the options say.
struct TranslateRequest {
  std::vector<std::string> models, weights;
  InputFiles input;
  std::string output = "-", report;
  bool resume = false;
  bool profiled = false;
  int threads = available_processors();
  Precision precision = Precision::automatic;
  std::string draft;
  TranslationSettings settings;
  LanguageChoice languages;
  ParagraphSettings paragraphs;
  TranslationOutputSettings format;
  std::vector<std::string> protect;
};

void add_options(Options& options, TranslateRequest& request) {
  options.usage("-m DIR [OPTION...] [FILE...] > TRANSLATION", "translate text line by line");
  Fields files = ensemble_fields(request.models, request.weights);
  append(files, fields_of(request.languages));
  append(files, {input_field(request.input, options, "text to translate"),
                 {"output",
                  &request.output,
                  "file for the translations; '-' is standard output",
                  {},
                  'o',
                  "FILE",
                  kWritten},
                 {"report",
                  &request.report,
                  "list lines in FILE whose translation somebody should look at, with the reason: see below",
                  {},
                  0,
                  "FILE",
                  kWritten},
                 resume_field(request.resume),
                 shard_field(request.input.shard)});
  options.add("Files", files);
  options.add("Sentences", fields_of(request.paragraphs,
                                     "translate each sentence of a line by itself; the translations of a "
                                     "line are joined"));
  Fields search = fields_of(request.settings.search);
  search.push_back(
      {"ctc", &request.settings.ctc,
       "take texts from the labels of the source's vectors (CTC) instead of the decoder; for models that "
       "were trained with --ctc-weight"});
  options.add("Search", search);
  options.add("Sampling", fields_of(request.settings.search.sampling));
  Fields rules = rule_fields_of(request.settings);
  rules.push_back(protect_field(request.protect));
  options.add("Rules", rules);
  options.add("Shortlist", fields_of(request.settings.shortlist));
  options.add("Output", fields_of(request.format, request.settings));
  Fields speed = limit_fields_of(request.settings);
  speed.push_back(line_limit_field(request.input));
  speed.push_back(precision_field(request.precision));
  speed.push_back(
      {"draft",
       &request.draft,
       "model directory, file of lines 'source<tab>translation' or of 'gloss shortlist': guesses tokens, of "
       "which the model checks several at a time. Same output, faster for a line or a few at a time; needs "
       "--beam-size 1",
       {},
       0,
       "DIR|FILE",
       kFreeOnResume});
  speed.push_back(threads_field(request.threads));
  speed.push_back(profile_field(request.profiled));
  options.add("Limits and speed", speed);
  options.common({&request.models, &request.input.input, &request.output, &request.settings.search.beam_size,
                  &request.settings.search.n_best, &request.languages.target, &request.paragraphs.split,
                  &request.precision, &request.threads});
  options.example("Translate a file", "gloss translate -m model < text.en > text.de");
  options.example("Write the five best translations of each line, with scores",
                  "gloss translate -m model --n-best 5 -i text.en");
  options.example("Translate text with several sentences in a line",
                  "gloss translate -m model --split --split-language en < text.en");
  options.epilogue(concat(kTranslationFormats, kReportFormat));
}

/// Throws UsageError for options that speak of the translation of one sentence, and for those of --split
/// without it. Documents are always split.
void check_paragraph_options(TranslateRequest& request) {
  const bool document = is_document(request.format.format);
  if (!request.paragraphs.split && !document) {
    check(request.paragraphs, ", or --format paragraphs, html or xliff");
    return;
  }
  const char* const other = request.settings.prefix                         ? "--prefix"
                            : request.format.n_best                         ? "--n-best"
                            : request.settings.word_scores                  ? "--word-scores"
                            : request.settings.alignment != Alignment::none ? "--alignment"
                            : document && request.format.scores             ? "--scores"
                            : document && !request.input.shard.empty()      ? "--shard"
                                                                            : nullptr;
  if (other != nullptr) {
    throw UsageError(document
                         ? concat(other, " is about lines, not about documents: remove --format or ", other)
                         : concat(other,
                                  " is about one sentence and excludes --split; split the text "
                                  "with 'gloss split'"));
  }
  request.paragraphs.split = true;
}

/// What translations keep as it is; with markup, placeholders too.
Protection protection_of(const TranslateRequest& request) {
  std::vector<std::string> patterns = request.protect;
  if (has_markup(request.format.format)) patterns.emplace_back("placeholder");
  return Protection(patterns);
}

/// Throws UsageError for what the restored translations do not have, and for files among the patterns.
void check_protection(const TranslateRequest& request) {
  for (const std::string& pattern : request.protect) {
    if (!is_file(pattern)) continue;
    throw UsageError(concat("--protect takes all words up to the next option, and ", shown(pattern),
                            " is a file; give a file to translate with -i, or write (", pattern,
                            ") for these words themselves"));
  }
  const char* const other = request.protect.empty()                         ? nullptr
                            : request.settings.alignment != Alignment::none ? "--alignment"
                            : request.settings.word_scores                  ? "--word-scores"
                                                                            : nullptr;
  if (other == nullptr) return;
  throw UsageError(concat("--protect changes words after the search and excludes ", other));
}

/// The tag of the language of translations; empty if it is not known.
std::string document_language(const TextModels& models, const LanguageChoice& languages) {
  const std::string name = target_language(models, languages), tag = language_tag(name);
  // A model may have names that are no languages; users give others to name the language of a document.
  if (tag.empty() && languages.names_documents && models.first().format.languages.ids.empty() &&
      !name.empty()) {
    throw UsageError(
        concat("--target-language: found ", shown(name), ", expected a code such as 'de' or 'pt-BR'"));
  }
  return tag;
}

/// Completes and checks what the options say together; returns the files to translate.
std::vector<std::string> checked_files(const Options& options, TranslateRequest& request) {
  request.format.n_best = options.given(request.settings.search.n_best);
  check_search_options(options, request.settings.search, request.format.scores,
                       request.format.n_best || request.format.format == TranslationFormat::json);
  check_paragraph_options(request);
  check_protection(request);
  request.languages.names_documents = has_markup(request.format.format);
  if (!request.draft.empty()) expect_draftable(request.settings.search);
  request.settings.links = has_markup(request.format.format) || !request.protect.empty();
  const std::vector<std::string> files = files_to_read(request.input, options, &request.models);
  std::vector<std::string> paths = files;
  paths.insert(paths.end(), {request.settings.lexicon, request.settings.ban, request.draft});
  expect_standard_input_once(paths);
  return files;
}

/// Notes if the name of a file is that of a document whose lines are translated as text.
void note_documents(const Options& options, const TranslateRequest& request,
                    std::span<const std::string> files, Listener& listener) {
  if (options.given(request.format.format)) return;
  static const std::map<std::string, std::string> kFormats{
      {".html", "html"}, {".htm", "html"}, {".xhtml", "html"}, {".xlf", "xliff"}, {".xliff", "xliff"}};
  for (const std::string& file : files) {
    const auto found = kFormats.find(std::filesystem::path(file).extension().string());
    if (found == kFormats.end()) continue;
    listener.note(concat(file, ": translating its lines as text, tags too; for a document, give --format ",
                         found->second));
    return;
  }
}

/// Throws UsageError for options that speak of the text of a source, which images do not have.
void refuse_options_of_text(const Options& options, const TranslateRequest& request) {
  const char* const other = is_document(request.format.format)                         ? "--format"
                            : request.paragraphs.split                                 ? "--split"
                            : !request.draft.empty()                                   ? "--draft"
                            : options.given(request.settings.max_source_tokens)        ? "--max-source-tokens"
                            : options.given(request.settings.search.max_length_factor) ? "--max-length-factor"
                            : options.given(request.settings.search.max_length_offset) ? "--max-length-offset"
                                                                                       : nullptr;
  if (other == nullptr) return;
  throw UsageError(
      concat(other, " is about the text of a source, which that of the model is not; leave it out"));
}

/// Lets the CTC head of the model write, not its decoder.
void label_vectors(const Options& options, const TranslateRequest& request, const TextModels& models,
                   Translator& translator) {
  if (models.members.size() > 1) throw UsageError("--ctc is for a single model; remove the others");
  const TextModel& model = models.first();
  if (model.model.settings.source.is_text()) {
    throw UsageError("--ctc is for recordings, features and images; the source of the model is text");
  }
  const SearchSettings& search = request.settings.search;
  if (options.given(search.length_penalty) || options.given(search.patience)) {
    throw UsageError(
        "--length-penalty and --patience are about a decoder, which --ctc does not use; leave them out");
  }
  translator.label_with(model.model.network->vector_labeller());
}

int translate(const Options& options, TranslateRequest& request, Run& run) {
  const std::vector<std::string> files = checked_files(options, request);
  const Protection protection = protection_of(request);
  const Shard shard = run.join(request.output, request.input.shard);
  if (is_document(request.format.format) && run.divided()) {
    throw UsageError("a document is not divided among processes; start the command without mpirun");
  }
  DocumentSettings document_settings{request.input.max_line_bytes};
  std::unique_ptr<SourceInput> lines;
  std::unique_ptr<InputStream<DocumentPart>> document;
  if (is_document(request.format.format)) {
    document = open_document(files, request.format.format, document_settings);
  } else {
    lines = std::make_unique<SourceInput>(files, request.input.max_line_bytes, shard);
  }

  Terminal terminal("translate", options.quiet(), run.first());
  note_documents(options, request, files, terminal);
  TextModels models = read_text_models({.directories = request.models,
                                        .form = Form::encoder_decoder,
                                        .weights = request.weights,
                                        .languages = &request.languages,
                                        .of_items = true},
                                       terminal);
  const NetworkSettings& network = models.first().model.settings;
  if (!network.source.is_text()) refuse_options_of_text(options, request);
  if (lines != nullptr) lines->read_for(network.source);
  pack(models, request.precision, request.threads, terminal);
  document_settings.language = document_language(models, request.languages);
  take_model_defaults(models, options.given(), request.settings.search);
  limit_lengths(models, request.settings);
  fit_threads(request.threads, terminal);
  Translator translator(models.decoder(), *models.first().source, *models.first().target,
                        models.first().format.normalization, request.settings, request.threads,
                        models.first().frame);
  if (!network.source.is_text()) translator.read_items(ItemRows(network, lines->list()));
  if (request.settings.ctc) label_vectors(options, request, models, translator);
  std::optional<ChosenDrafter> draft;
  if (!request.draft.empty()) {
    draft.emplace(DraftChoice{request.draft, request.precision, request.threads}, models,
                  request.models.front(), request.languages, terminal);
    translator.draft_with(draft->drafter());
  }
  ParagraphTranslator paragraphs(
      translator,
      {sentence_splitter(request.paragraphs, source_language(models, request.languages)),
       *models.first().source, request.settings.max_source_tokens},
      request.paragraphs.split);
  const TextShard* const part = lines == nullptr ? nullptr : lines->shard();
  const auto besides = [&] { return lines == nullptr ? std::string() : lines->checksum(); };
  RunOutput output{request.output, request.resume, part, besides};
  if (!request.report.empty()) output.further = {{"report", request.report}};
  run.open(options, output, models.members);
  const UsualLines usual{usual_source_length(models), request.paragraphs.split};
  const Drafter* const drafter = draft ? &draft->drafter() : nullptr;
  const StreamTranslation translation{request.settings, request.format, paragraphs, protection, usual,
                                      drafter,          terminal,       run};
  const ProfileTable profile(request.profiled);
  const std::string problem = document != nullptr
                                  ? translate_document(*document, document_settings, translation)
                                  : translate_lines(lines->stream(), translation);
  profile.print(request.threads);
  if (!problem.empty()) throw InputError(problem);
  return 0;
}

}  // namespace

Work declare_translate(Options& options) { return run_of<TranslateRequest>(options, add_options, translate); }

}  // namespace gloss
