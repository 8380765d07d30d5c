// SPDX-License-Identifier: Apache-2.0

#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/output.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/commands/attention_output.h"
#include "cli/commands/sentence_alignment.h"
#include "cli/commands/statistical_alignment.h"
#include "cli/lines/item_pictures.h"
#include "cli/lines/pair_input.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/input_files.h"
#include "cli/options/options.h"
#include "cli/options/output_conflicts.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/pages/alignment_page.h"
#include "pipeline/pages/picture_page.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/aligner.h"
#include "pipeline/translation/length_limits.h"

namespace gloss {
namespace {

constexpr const char* kAlignFormats =
    "Words are separated by spaces. With -m, the weights are the attention while the\n"
    "model reads the translation token by token: summed over the pieces of a source\n"
    "word, averaged over those of a target word.\n"
    "Output:\n"
    "  by default     a line of links SOURCE-TARGET per pair, word numbers from 0:\n"
    "                 each target word with the source word of the highest weight\n"
    "  --format tsv   LINE<tab>LAYER<tab>HEAD<tab>TARGET and the weight of each\n"
    "                 source word, for each target word; LINE and TARGET count from\n"
    "                 0, LAYER and HEAD from 1, HEAD 0 is the mean\n"
    "  --format json  an object per pair: {\"line\", \"source\": [words], \"target\":\n"
    "                 [words], \"maps\": [{\"layer\", \"head\", \"weights\":\n"
    "                 [[...], ...]}]}\n"
    "  --text         a map of each pair, drawn with characters\n"
    "If the weights of a target word sum to less than 1, the rest is on the end token\n"
    "of the source. With --attention encoder or decoder, both sides are the words of\n"
    "the source or the target: a column is a word that a layer mixes into the row's;\n"
    "in the decoder, one before the row's, which is predicted.\n"
    "With --sentences: lines SOURCE<tab>TARGET<tab>SCORE for each pair, the sentences of\n"
    "a side joined by spaces. The score is the log-odds, in nats, that both sides are\n"
    "translations; a sentence without translation has no line.\n";

struct AlignSettings {
  std::string model, output = "-", html, title = "Attention", shard;
  ParallelFiles files;
  AttentionOutput form;
  AlignSide side = AlignSide::cross;
  bool pieces = false, resume = false;
  TranslationSettings translation;
  LanguageChoice languages;
  Precision precision = Precision::automatic;
  int threads = available_processors();
  bool statistical = false;
  StatisticalAlignment statistics;
  bool sentences = false;
  SentenceAlignment of_sentences;
  // Options without effect with --statistical; those of lines and of attention have none with --sentences.
  Fields of_model, of_lines, of_attention;
};

/// Throws UsageError if one of these options is given; `reason` is the rest of the message.
void refuse(const Fields& fields, const Options& options, const std::string& reason) {
  for (const Field& field : fields) {
    if (options.given()(address_of(field))) {
      throw UsageError(concat("--", option_name(field.name), " ", reason));
    }
  }
}

void check(const AlignSettings& settings) {
  if (settings.model.empty() && !settings.statistical) {
    throw UsageError("-m DIR, --statistical or --sentences is required");
  }
  check(settings.files, "");
  expect_standard_input_once({settings.files.source, settings.files.target});
  check(settings.form);
  expect_named_file("html", settings.html);
}

/// True if sources are places of pictures or spectrograms.
bool shows_places(const SourceSettings& source) {
  return source.type == SourceType::image || source.type == SourceType::audio;
}

const char* introduction_of(AlignSide side, bool of_places) {
  switch (side) {
    case AlignSide::cross:
      return of_places ? kDescriptionsIntroduction : kPairsIntroduction;
    case AlignSide::encoder:
      return of_places ? kPlacesIntroduction : kEncoderIntroduction;
    case AlignSide::decoder:
      return kDecoderIntroduction;
  }
  throw BrokenPromise("a side without an introduction");
}

/// Throws UsageError if the wanted layer of a side does not sum tokens with weights; notes which layers do
/// not.
void expect_weights(const Aligner& aligner, const AlignSettings& settings, Terminal& terminal) {
  if (aligner.inner() == nullptr) return;
  const AttentionOutput& form = settings.form;
  const std::vector<MixingNetwork::Layer>& layers = aligner.inner()->layers();
  for (std::size_t i = 0; i < layers.size() && (form.all || !settings.html.empty()); ++i) {
    if (layers[i].weighs) continue;
    terminal.note(concat("the weights of layer ", i + 1, " are 0: its mixer ", layers[i].mixer,
                         " does not sum tokens with weights"));
  }
  if (form.all) return;
  const int layer = form.layer == 0 ? aligner.layers() : form.layer;
  const MixingNetwork::Layer& wanted = aligner.inner()->layers()[index(layer - 1)];
  if (wanted.weighs) return;
  throw UsageError(concat("layer ", layer, " has the mixer ", wanted.mixer,
                          ", whose results are not weighted sums of tokens; choose another --layer"));
}

/// Aligns all pairs. Returns the first ones, for a page.
std::vector<AlignedPair> align_pairs(InputStream<SentencePair>& reader, const Aligner& aligner,
                                     const AlignSettings& settings, Run& run, Terminal& terminal) {
  constexpr std::size_t kPagePairs = 200, kPageWeights = 5'000'000;  // pages of more would be slow
  std::size_t weights = 0;
  StreamReport report(reader, terminal, {.which = ""});
  std::vector<AlignedPair> first_pairs;
  const AnswerSteps<SentencePair, AlignedPair> steps{
      .answer = [&](const auto& pairs, std::int64_t,
                    const auto& finished) { return aligner.align(pairs, finished); },
      .write =
          [&](std::int64_t number, AlignedPair& pair) {
            write_attention(number, pair, settings.form, run.output());
            if (settings.html.empty() || first_pairs.size() >= kPagePairs || weights > kPageWeights) return;
            for (const WordAlignment& map : pair.maps) weights += map.weights.size();
            if (first_pairs.empty() || weights <= kPageWeights) first_pairs.push_back(std::move(pair));
          },
      .limits = {.items = 1024, .bytes = 1 << 18},  // maps of all heads take much memory
      .numbered = settings.form.shows_numbers()};
  answer_stream(reader, steps, run.answers(), report);
  run.close(report);
  if (!run.circumstances().empty()) {
    terminal.note(concat(counted(report.items(), "pair"), run.circumstances()));
  }
  if (!settings.html.empty() && report.items() > std::ssize(first_pairs)) {
    terminal.note(concat("the page shows the first ", first_pairs.size(), " of ", report.items(), " pairs"));
  }
  return first_pairs;
}

void add_options(Options& options, AlignSettings& settings) {
  options.usage("-m DIR|--statistical|--sentences --source A --target B [...]",
                "align words, or sentences of documents, with their translations");
  Fields model{{"model", &settings.model, kModelHelp, {}, 'm', "DIR", kModelDirectory}};
  append(model, fields_of(settings.languages));
  model.push_back(precision_field(settings.precision));
  options.add("Model", model);
  settings.of_model = model;
  Fields files = fields_of(settings.files, "", "text");
  files.push_back({"output",
                   &settings.output,
                   "file for the alignments; '-' is standard output",
                   {},
                   'o',
                   "FILE",
                   kWritten});
  settings.of_lines = {resume_field(settings.resume), shard_field(settings.shard)};
  append(files, settings.of_lines);
  files.push_back(line_limit_field(settings.files.max_line_bytes, "cut"));
  add_traits(files, kFreeOnResume, settings.files.source, settings.files.target, settings.files.tsv);
  options.add("Files", files);
  Fields forms = fields_of(settings.form);
  append(forms, {{"attention", choice(settings.side, {"cross", "encoder", "decoder"}),
                  "weights to show: of the decoder's attention to the source (cross), or of the tokens that "
                  "layers of the encoder or the decoder mix, with attention or another mixer"},
                 {"html",
                  &settings.html,
                  "write an HTML page with the first 200 pairs to FILE",
                  {},
                  0,
                  "FILE",
                  kWritten},
                 {"pieces", &settings.pieces,
                  "take every piece of the vocabulary for a word, such as each character of recognised text"},
                 {"title", &settings.title, "title of the HTML page", {}, 0, "TITLE"}});
  options.add("Output", forms);
  append(settings.of_model, forms);
  settings.of_attention = forms;
  Fields statistics = fields_of(settings.statistics);
  statistics.insert(statistics.begin(),
                    {"statistical", &settings.statistical, "learn from the text itself, without a model"});
  options.add("Statistical alignment", statistics);
  Fields sentences = fields_of(settings.of_sentences);
  sentences.insert(sentences.begin(),
                   {"sentences", &settings.sentences,
                    "align the sentences of a document, one a line, with those of its translation"});
  options.add("Sentence alignment", sentences);
  append(settings.of_model, fields_of(settings.translation.batches));
  Fields speed = fields_of(settings.translation.batches);
  speed.push_back(threads_field(settings.threads));
  options.add("Speed", speed);
  options.common({&settings.model, &settings.files.source, &settings.files.target, &settings.output,
                  &settings.form.format, &settings.statistical, &settings.sentences, &settings.threads});
  options.example("Write links such as 0-0 1-2 for each pair",
                  "gloss align -m model --source text.en --target text.de > links");
  options.example("Learn the alignment from the text itself",
                  "gloss align --statistical --source train.en --target train.de > links");
  options.example("Make pairs of the sentences of a document and its translation",
                  "gloss align --sentences --source document.en --target document.de > pairs.tsv");
  options.epilogue(kAlignFormats);
}

int align(const Options& options, AlignSettings& settings, Run& run) {
  if (settings.sentences) {
    refuse(settings.of_attention, options, "is for the attention of a model; leave it out with --sentences");
    refuse(settings.of_lines, options, "is not possible with --sentences, which reads whole documents");
    if (settings.statistical) throw UsageError("--statistical aligns words; leave it out with --sentences");
  } else {
    refuse(fields_of(settings.of_sentences), options, "requires --sentences");
  }
  if (settings.statistical) {
    refuse(settings.of_model, options, "is for the attention of a model; leave it out with --statistical");
    refuse(settings.of_lines, options, "is not possible with --statistical, which learns from all lines");
  } else {
    refuse(fields_of(settings.statistics), options, "requires --statistical");
  }
  if (!settings.sentences) check(settings);
  const Shard shard = run.join(settings.output, settings.shard);
  if (settings.statistical || settings.sentences) {
    if (run.divided()) {
      throw UsageError(concat(
          settings.statistical ? "--statistical learns from all lines" : "--sentences reads whole documents",
          " in one process; start the command without mpirun"));
    }
    Terminal terminal("align", options.quiet());
    fit_threads(settings.threads, terminal);
    if (settings.sentences) {
      write_sentence_pairs({settings.of_sentences, settings.files, settings.model, settings.output,
                            settings.languages, settings.precision, settings.translation, settings.threads},
                           terminal);
      return 0;
    }
    align_statistically(settings.files, settings.statistics, settings.output, settings.threads, terminal);
    return 0;
  }
  Terminal terminal("align", options.quiet(), run.first());
  TextModels models = read_text_models({.directories = {settings.model},
                                        .form = Form::encoder_decoder,
                                        .languages = &settings.languages,
                                        .of_items = true},
                                       terminal);
  pack(models, settings.precision, settings.threads, terminal);
  limit_lengths(models, settings.translation);
  fit_threads(settings.threads, terminal);
  Aligner aligner(models.first(), settings.translation, settings.threads, settings.side);
  if (settings.pieces) aligner.show_pieces();
  if (settings.form.layer > aligner.layers() || settings.form.head > aligner.heads()) {
    throw UsageError(concat("found", settings.form.layer > 0 ? concat(" --layer ", settings.form.layer) : "",
                            settings.form.head > 0 ? concat(" --head ", settings.form.head) : "",
                            ", but the model has ", aligner.layers(),
                            settings.side == AlignSide::encoder ? " encoder" : " decoder", " layers with ",
                            aligner.heads(), " heads each"));
  }
  expect_weights(aligner, settings, terminal);
  std::optional<AtomicFile> page;  // opened before the long work: it may be that it cannot be written
  if (!settings.html.empty()) page.emplace(settings.html);
  const NetworkSettings& network = models.first().model.settings;
  PairInput input(settings.files, shard, settings.resume, network.source);
  if (!network.source.is_text()) aligner.read_items(ItemRows(network, input.list()));
  run.open(options,
           {.path = settings.output,
            .resume = settings.resume,
            .shard = input.shard(),
            .whole_because = page ? "the page of --html shows the first pairs; leave it out" : ""},
           models.members);
  std::vector<AlignedPair> first_pairs = align_pairs(input.stream(), aligner, settings, run, terminal);
  if (page) {
    const int layer = settings.form.layer == 0 ? aligner.layers() : settings.form.layer;
    const int usual = first_pairs.empty() ? 0 : first_pairs.front().usual_head(layer);
    const AlignmentView view{layer - 1, (settings.form.head == 0 ? usual : settings.form.head) - 1};
    const bool draws = shows_places(network.source) && settings.side != AlignSide::decoder;
    const char* const introduction = introduction_of(settings.side, draws);
    page->write(draws ? picture_page(with_pictures(std::move(first_pairs), network, input.list(), terminal),
                                     settings.title, view, introduction)
                      : alignment_page(first_pairs, settings.title, view, introduction));
    page->commit();
    terminal.note("wrote " + settings.html);
  }
  return 0;
}

}  // namespace

Work declare_align(Options& options) { return run_of<AlignSettings>(options, add_options, align); }

}  // namespace gloss
