// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/item_pictures.h"
#include "cli/lines/run.h"
#include "cli/lines/source_input.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/options/output_conflicts.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/pages/alignment_page.h"
#include "pipeline/pages/picture_page.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/classifier.h"
#include "pipeline/tasks/item_classifier.h"
#include "pipeline/tasks/split_answers.h"

namespace gloss {
namespace {

constexpr const char* kClassifyFormats =
    "A line is one text, or two separated by a tab, as in the training of the model.\n"
    "Output: one line for each input line, in the same order; an empty or blank line\n"
    "gives an empty one. Only '\\n' ends a line.\n"
    "  by default     the most probable label\n"
    "  --scores       then a tab and LABEL=PROBABILITY of all labels, separated by\n"
    "                 spaces, the most probable first\n"
    "  --explain      then a tab and WORD=SHARE of all words, separated by spaces: the\n"
    "                 share of the last block's attention on the word; the rest is on\n"
    "                 the tokens that begin and end a text. The words of an image are\n"
    "                 the places ROW,COLUMN of its vectors, those of a recording numbers\n"
    "  --format json  an object per line: {\"line\": from 0, \"label\", \"probabilities\":\n"
    "                 [{\"label\", \"probability\"}, ...], \"words\": [{\"word\",\n"
    "                 \"attention\"}, ...]}, words only with --explain\n"
    "With --split, a label's probability is its mean over the sentences of the line,\n"
    "each weighted by the number of its tokens; so are the shares of words.\n"
    "For a classifier of images or recordings, a line is the path of a PNG, JPEG, PNM,\n"
    "WAV, FLAC or OGG file, up to the first tab (a relative path belongs to the folder\n"
    "of the list); or the only input is an idx archive, whose images give a line each.\n"
    "'gloss evaluate --task classify' reads the text output. The result for a line\n"
    "never depends on batch size, other lines or threads.\n";

struct ClassifyCommand : AnswerSettings {
  TextOrJson form;
  ClassificationSettings classification;
  ParagraphSettings paragraphs;
  bool skip_broken = false;
  std::string html, title = "Labels";
};

constexpr std::size_t kPageLines = 200;

/// The attention on a line as that of its label.
AlignedPair pair_of(const ClassifiedLine& line) {
  AlignedPair pair;
  if (line.words.empty()) return pair;
  const auto& [label, probability] = line.labels.front();
  pair.name = line.item;
  pair.target = {concat(label, " (", fixed_text(probability, 3), ")")};
  pair.heads = 1;
  WordAlignment& map = pair.maps.emplace_back();
  map.sources = static_cast<int>(line.words.size());
  for (const auto& [word, share] : line.words) {
    pair.source.push_back(word);
    map.weights.push_back(static_cast<float>(share));
  }
  return pair;
}

/// The page of the first lines.
std::string page_of(std::vector<AlignedPair> lines, const ClassifyCommand& settings,
                    const NetworkSettings& network, const SourceInput& input, Terminal& terminal) {
  if (network.source.is_text() || network.source.type == SourceType::features)
    return alignment_page(lines, settings.title, {0, 0}, kTextsIntroduction);
  return picture_page(with_pictures(std::move(lines), network, input.list(), terminal), settings.title,
                      {0, 0}, kLabelsIntroduction);
}

nlohmann::json json_of(std::int64_t number, const ClassifiedLine& line, bool explain) {
  nlohmann::json probabilities = nlohmann::json::array(), words = nlohmann::json::array();
  for (const auto& [label, probability] : line.labels) {
    probabilities.push_back({{"label", label}, {"probability", probability}});
  }
  for (const auto& [word, attention] : line.words)
    words.push_back({{"word", word}, {"attention", attention}});
  nlohmann::json object{{"line", number},
                        {"label", line.labels.empty() ? "" : line.labels.front().label},
                        {"probabilities", probabilities}};
  if (explain) object["words"] = words;
  return object;
}

std::string text_of(const ClassifiedLine& line, bool scores, bool explain) {
  if (line.labels.empty()) return "";
  std::string text = line.labels.front().label;
  const char* separator = "\t";
  const auto add = [&](const std::string& name, double value) {
    text += concat(separator, name, "=", fixed_text(value, 4));
    separator = " ";
  };
  if (scores) {
    for (const auto& [label, probability] : line.labels) add(label, probability);
  }
  separator = "\t";
  for (std::size_t i = 0; explain && i < line.words.size(); ++i)
    add(line.words[i].word, line.words[i].attention);
  return text;
}

using AnswerLines = decltype(AnswerSteps<std::string, ClassifiedLine>::answer);

AnswerLines answerer_of_items(const ClassifyCommand& settings, const SourceInput& input,
                              const TextModel& model) {
  if (settings.paragraphs.split) throw UsageError("--split is for text, which the model does not classify");
  const auto classifier =
      std::make_shared<ItemClassifier>(model, settings.classification, settings.threads, input.list());
  return [classifier](std::span<const std::string> lines, std::int64_t, const auto& finished) {
    return classifier->classify(lines, finished);
  };
}

/// Answers lines of text, or items.
AnswerLines answerer_of_lines(const ClassifyCommand& settings, SourceInput& input, const TextModel& model) {
  input.read_for(model.model.settings.source);
  if (!model.model.settings.source.is_text()) return answerer_of_items(settings, input, model);
  if (settings.skip_broken)
    throw UsageError("--skip-broken is for images and recordings; the model classifies text");
  const auto classifier = std::make_shared<Classifier>(model, settings.classification, settings.threads);
  const auto splitter = std::make_shared<LineSplitter>(sentence_splitter(settings.paragraphs, ""),
                                                       *model.source, classifier->longest());
  const bool split = settings.paragraphs.split;
  return [=](std::span<const std::string> lines, std::int64_t, const auto& finished) {
    return split ? classify_split(*classifier, *splitter, lines, finished)
                 : classifier->classify(lines, finished);
  };
}

std::string items_text(std::int64_t count, const SourceSettings& source) {
  return concat(count, " ", count == 1 ? item_noun(source) : items_noun(source));
}

void add_options(Options& options, ClassifyCommand& settings) {
  options.usage("-m DIR [OPTION...] [FILE...] > LABELS", "predict the label of each line or image");
  options.add("Files", file_fields(settings, options, "text to classify", "labels"));
  options.add("Sentences", fields_of(settings.paragraphs,
                                     "classify each sentence of a line by itself; the probabilities of a "
                                     "line are their means"));
  options.add("Output", {format_field(settings.form),
                         {"scores", &settings.form.scores, "add the probabilities of all labels"},
                         {"skip_broken", &settings.skip_broken,
                          "give files that cannot be read an empty line and a warning, instead of stopping"},
                         {"explain", &settings.classification.explain,
                          "add the share of attention on each word, or on each place of an image"},
                         {"html",
                          &settings.html,
                          "write an HTML page that shows the attention on the first 200 lines to FILE",
                          {},
                          0,
                          "FILE",
                          kWritten},
                         {"title", &settings.title, "title of the HTML page", {}, 0, "TITLE"}});
  options.add("Speed", speed_fields(settings.classification.batches, settings.precision, settings.threads,
                                    "classified"));
  options.common({&settings.model, &settings.input.input, &settings.output, &settings.form.format,
                  &settings.form.scores, &settings.classification.explain, &settings.paragraphs.split,
                  &settings.threads});
  options.example("Predict the label of each line", "gloss classify -m model < text > labels");
  options.example("Add the probability of every label", "gloss classify -m model --scores < text");
  options.example("Classify the images of a list", "gloss classify -m model -i images.txt > labels");
  options.epilogue(kClassifyFormats);
}

int classify(const Options& options, ClassifyCommand& settings, Run& run) {
  check(settings.form);
  check(settings.paragraphs);
  expect_named_file("html", settings.html);
  const bool explains = settings.classification.explain;
  if (!settings.html.empty()) settings.classification.explain = true;
  SourceInput input(files_to_read(settings.input, options), settings.input.max_line_bytes,
                    run.join(settings.output, settings.input.shard));
  Terminal terminal("classify", options.quiet(), run.first());
  const TextModel model = answering_model(settings, Form::classifier, terminal);
  fit_threads(settings.threads, terminal);
  const AnswerLines answer = answerer_of_lines(settings, input, model);
  std::optional<AtomicFile> page;  // opened before the long work: it may be that it cannot be written
  if (!settings.html.empty()) page.emplace(settings.html);
  run.open(options,
           {.path = settings.output,
            .resume = settings.resume,
            .shard = input.shard(),
            .other_input = [&input] { return input.checksum(); },
            .whole_because = page ? "the page of --html shows the first lines; leave it out" : ""},
           {&model, 1});
  std::vector<AlignedPair> first_lines;
  Output& output = run.output();
  StreamReport report(input.stream(), terminal);
  const AnswerSteps<std::string, ClassifiedLine> steps{
      .answer = answer,
      .write =
          [&](std::int64_t number, const ClassifiedLine& line) {
            output.line(settings.form.format == OutputFormat::json
                            ? json_line(json_of(number, line, explains))
                            : text_of(line, settings.form.scores, explains));
            if (page && first_lines.size() < kPageLines) first_lines.push_back(pair_of(line));
          },
      .problem_costs = settings.skip_broken ? ProblemCosts::answer : ProblemCosts::stream};
  answer_stream(input.stream(), steps, run.answers(), report);
  run.close(report);
  terminal.note(
      concat(model.source ? counted(report.items(), "line")
                          : items_text(report.items(), model.model.settings.source),
             run.circumstances(),
             report.problems() == 0 ? "" : concat(", ", report.problems(), " of them not readable,"),
             " classified in ", fixed_text(report.seconds(), 1), " s", report.summary()));
  if (!page) return 0;
  page->write(page_of(std::move(first_lines), settings, model.model.settings, input, terminal));
  page->commit();
  terminal.note("wrote " + settings.html);
  return 0;
}

}  // namespace

Work declare_classify(Options& options) { return run_of<ClassifyCommand>(options, add_options, classify); }

}  // namespace gloss
