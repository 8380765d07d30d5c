// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "base/threads.h"
#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/compute_options.h"
#include "cli/input_files.h"
#include "cli/options.h"
#include "cli/resumable_run.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/data/answer_stream.h"
#include "pipeline/data/pair_reader.h"
#include "pipeline/data/text_files.h"
#include "pipeline/inference/length_limits.h"
#include "pipeline/inference/n_best_reader.h"
#include "pipeline/inference/scorer.h"
#include "pipeline/inference/split_answers.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "One of the files may be '-', standard input. --input is for language models: a\n"
    "line is scored as the text that follows the end of another line; with --split each\n"
    "sentence is, and scores, log-probabilities and tokens of a line are their sums.\n"
    "Output: one line for each pair or line, in the same order.\n"
    "  by default     SCORE = log-probability / length^A: the natural logarithm of the\n"
    "                 probability of all tokens and the end, A from --length-penalty\n"
    "  --word-scores  SCORE<tab>log-probabilities of the words and of the end\n"
    "  --format json  {\"line\": from 0, \"score\", \"log_probability\", \"tokens\", ...}\n"
    "  --summary      one JSON object for all pairs, and no lines\n"
    "  --n-best-list  the lines of the list with one more feature, NAME= SCORE\n"
    "Text is split into pieces again: if 'gloss translate' produced a translation from\n"
    "other pieces, the score that it reports differs.\n";

struct ScoreSettings {
  std::vector<std::string> models, weights;
  ParallelFiles files;
  std::string n_best_list, feature = "ModelScore", output = "-", shard;
  bool summary = false, resume = false;
  OutputFormat format = OutputFormat::text;
  TranslationSettings translation;
  LanguageChoice languages;
  ParagraphSettings paragraphs;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};

void check_paragraphs(const ScoreSettings& settings) {
  check(settings.paragraphs);
  if (!settings.paragraphs.split) return;
  if (settings.files.plain.empty()) {
    throw UsageError(
        "--split is for text of one side (--input): a translation need not have the sentences of its source; "
        "split both sides with 'gloss split' and align the sentences");
  }
  if (settings.translation.word_scores) {
    throw UsageError(
        "--word-scores is about one sentence and excludes --split; split the text with 'gloss split'");
  }
}

void check(const ScoreSettings& settings) {
  check_paragraphs(settings);
  if (!settings.files.plain.empty()) {
    const ParallelFiles& files = settings.files;
    if (!files.source.empty() || !files.target.empty() || !files.tsv.empty() ||
        !settings.n_best_list.empty()) {
      throw UsageError(
          "--input is text for a language model; it needs neither --source, --target, --tsv nor "
          "--n-best-list");
    }
  } else if (settings.n_best_list.empty()) {
    if (settings.files.source.empty() && settings.files.target.empty() && settings.files.tsv.empty()) {
      throw UsageError(
          "expected --source and --target, or --tsv; for a language model --input, where '-' is standard "
          "input");
    }
    check(settings.files, "");
  } else if (settings.files.source.empty() || !settings.files.target.empty() || !settings.files.tsv.empty()) {
    throw UsageError(
        "--n-best-list is scored against --source; it needs that and neither --target nor --tsv");
  } else if (settings.translation.word_scores || settings.format == OutputFormat::json) {
    throw UsageError("--n-best-list writes the list; leave out --word-scores and --format");
  }
  expect_standard_input_once({settings.files.source, settings.files.target, settings.n_best_list});
  if (settings.feature.empty() || settings.feature.find_first_of(" |=") != std::string::npos) {
    throw UsageError(
        concat("--feature: found '", settings.feature, "', expected a name without ' ', '|' and '='"));
  }
}

std::string line_of(std::int64_t number, const ScoredPair& pair, const ScoreSettings& settings) {
  if (settings.format == OutputFormat::text) {
    std::string line = score_text(pair.score);
    if (settings.translation.word_scores)
      line += "\t" + word_scores_text(pair.words, pair.end_log_probability);
    return line;
  }
  nlohmann::json object = {{"line", number},
                           {"score", pair.score},
                           {"log_probability", pair.log_probability},
                           {"tokens", pair.tokens},
                           {"perplexity", pair.perplexity()}};
  if (settings.translation.word_scores) {
    object["words"] = words_json(pair.words);
    object["end_log_probability"] = pair.end_log_probability;
  }
  return json_line(object);
}

/// The sums of all pairs, for --summary.
nlohmann::json json_of(const ScoreTotals& totals, bool plain) {
  nlohmann::json summary = {{plain ? "lines" : "pairs", totals.pairs},
                            {"tokens", totals.tokens},
                            {"log_probability", totals.log_probability},
                            {"cross_entropy", totals.cross_entropy()},
                            {"perplexity", totals.perplexity()}};
  if (plain) {
    summary["characters"] = totals.characters;
    summary["bits_per_character"] = totals.bits_per_character();
  }
  return summary;
}

/// Scores pairs, or the sentences of lines.
using ScorePairs = std::function<std::vector<ScoredPair>(std::span<const SentencePair>,
                                                         const std::function<void(int)>& finished)>;

/// What scores a stream of pairs, and where the scores go.
struct ScoreRun {
  ScorePairs score;
  const ScoreSettings& settings;
  ResumableRun& output;
  Terminal& terminal;
};

/// Scores all pairs of a stream and hands each to `write` in order.
ScoreTotals score_all(InputStream<SentencePair>& input,
                      const std::function<void(std::int64_t number, const ScoredPair&)>& write,
                      const ScoreRun& run) {
  StreamReport report(input, run.terminal, {.which = ""});
  ScoreTotals totals;
  const AnswerSteps<SentencePair, ScoredPair> steps{
      .answer = [&](const auto& pairs, std::int64_t,
                    const auto& finished) { return run.score(pairs, finished); },
      .write =
          [&](std::int64_t number, const ScoredPair& pair) {
            write(number, pair);
            totals.add(pair);
          },
      .numbered = run.settings.format == OutputFormat::json};
  answer_stream(input, steps, run.output.answers(), report);
  if (run.settings.summary) {
    run.output.output().line(json_line(json_of(totals, !run.settings.files.plain.empty())));
  }
  run.output.close(report, {&totals.pairs, &totals.tokens, &totals.characters});
  return totals;
}

ScoreTotals score_pairs(PairReader& reader, const ScoreRun& run) {
  const auto write = [&](std::int64_t number, const ScoredPair& pair) {
    if (!run.settings.summary) run.output.output().line(line_of(number, pair, run.settings));
  };
  return score_all(reader, write, run);
}

ScoreTotals score_n_best(NBestReader& reader, const ScoreRun& run) {
  reader.drop_entries(run.output.answers().done());
  const auto write = [&](std::int64_t, const ScoredPair& pair) {
    NBestEntry entry = reader.take_entry();
    entry.features +=
        concat(entry.features.empty() ? "" : " ", run.settings.feature, "= ", score_text(pair.score));
    if (!run.settings.summary) run.output.output().line(n_best_text(entry));
  };
  return score_all(reader, write, run);
}

/// The figures of the pairs that this run scored, for the closing note.
std::string figures_text(const ScoreTotals& totals, bool plain, std::int64_t earlier) {
  if (totals.tokens == 0) {
    return totals.pairs == 0 && earlier > 0 ? ", nothing left to score" : ", no text to score";
  }
  return concat(", ", counted(totals.tokens, "token"), ", cross-entropy ",
                fixed_text(totals.cross_entropy(), 4), ", perplexity ", fixed_text(totals.perplexity(), 2),
                earlier == 0 ? "" : " of the others",
                plain ? concat(", ", fixed_text(totals.bits_per_character(), 4), " bits per character") : "");
}

/// The output that the options ask for.
ResumableRun output_of(const Options& options, const ScoreSettings& settings, const TextModels& models,
                       RunTarget target) {
  if (settings.summary) return {target, "--summary is about all pairs together; leave it out"};
  if (!settings.n_best_list.empty()) target.other_input = checksum(read_file(settings.files.source));
  return {options, target, models};
}

int score(std::span<const std::string> arguments, RankJob& job) {
  ScoreSettings settings;
  settings.translation.search.length_penalty = 0;
  Options options("score", "-m DIR (--source FILE --target FILE | --input FILE) [OPTION]",
                  "compute log-probabilities of translations or text");
  Fields model = ensemble_fields(settings.models, settings.weights);
  append(model, fields_of(settings.languages));
  options.add("Model", model);
  Fields files = fields_of(settings.files, "", "text");
  files.push_back({"input",
                   &settings.files.plain,
                   "text for a language model, instead of --source and --target",
                   {},
                   'i',
                   "FILE"});
  files.push_back({"n_best_list",
                   &settings.n_best_list,
                   "n-best list that 'gloss translate --n-best' made of --source, instead of --target",
                   {},
                   0,
                   "FILE"});
  files.push_back(
      {"output", &settings.output, "file for the scores; '-' is standard output", {}, 'o', "FILE", kWritten});
  append(files, {resume_field(settings.resume), shard_field(settings.shard),
                 line_limit_field(settings.files.max_line_bytes, "cut")});
  add_traits(files, kFreeOnResume, settings.files.source, settings.files.target, settings.files.tsv,
             settings.files.plain, settings.n_best_list);
  options.add("Files", files);
  options.add(
      "Sentences",
      fields_of(settings.paragraphs,
                "score each sentence of a line of --input by itself; their sums are those of the line"));
  Fields output = {
      {"format", choice(settings.format, {"text", "json"}), "output lines of text or of JSON"},
      {"word_scores", &settings.translation.word_scores, "add the log-probability of each word"},
      {"summary", &settings.summary, "write only the sums, cross-entropy and perplexity of all pairs"},
      {"feature", &settings.feature, "name of the feature to add to an n-best list", {}, 0, "NAME"},
      {"length_penalty",
       &settings.translation.search.length_penalty,
       "A in score = log-probability / length^A; the default of translate is 1",
       {0, 10}}};
  options.add("Output", output);
  Fields speed = fields_of(settings.translation.batches);
  for (Field& field : speed)
    field.help = refers_to(field, settings.translation.batches.batch_size) ? "most pairs in a batch"
                                                                           : "most tokens in a batch";
  speed.push_back(precision_field(settings.precision));
  speed.push_back(threads_field(settings.threads));
  options.add("Speed", speed);
  options.common({&settings.models, &settings.files.source, &settings.files.target, &settings.files.plain,
                  &settings.output, &settings.summary, &settings.translation.word_scores, &settings.threads});
  options.example("Write the log-probability of each translation",
                  "gloss score -m model --source text.en --target text.de");
  options.example("Compute the perplexity of a language model on a text",
                  "gloss score -m model --input text --summary");
  options.epilogue(kFormats);
  options.parse(arguments);
  check(settings);
  if (settings.summary &&
      (options.given(settings.format) || options.given(settings.translation.word_scores) ||
       options.given(settings.feature))) {
    throw UsageError("--summary writes sums alone; leave out --format, --word-scores and --feature");
  }
  const Shard shard = job.join(settings.output, settings.shard);
  Terminal terminal("score", options.quiet(), job.first());
  const Form form = settings.files.plain.empty() ? Form::encoder_decoder : Form::decoder;
  TextModels models =
      read_text_models({settings.models, form, settings.weights, &settings.languages}, terminal);
  pack(models, settings.precision, settings.threads, terminal);
  constexpr int kAnyLength = 1'000'000;  // only the networks' positions limit what is scored
  settings.translation.max_source_tokens = settings.translation.search.max_length = kAnyLength;
  limit_lengths(models, settings.translation);
  fit_threads(settings.threads, terminal);
  const Scorer scorer(models, settings.translation, settings.threads);
  std::unique_ptr<PairReader> pairs;
  std::unique_ptr<NBestReader> list;
  if (settings.n_best_list.empty()) {
    pairs = std::make_unique<PairReader>(settings.files, shard);
  } else {
    list = std::make_unique<NBestReader>(settings.files.source, settings.n_best_list, shard);
  }
  const TextShard& part = pairs ? pairs->shard() : list->shard();
  ResumableRun output_run =
      output_of(options, settings, models, {settings.output, settings.resume, &part, &job});
  const LineSplitter splitter(sentence_splitter(settings.paragraphs, ""), *models.first().target,
                              kAnyLength);  // a sentence is scored whole, in parts if it is long
  const auto score_lines = [&](std::span<const SentencePair> lines,
                               const std::function<void(int)>& finished) {
    return settings.paragraphs.split ? score_split(scorer, splitter, lines, finished)
                                     : scorer.score(lines, finished);
  };
  const ScoreRun run{score_lines, settings, output_run, terminal};
  ScoreTotals totals = pairs ? score_pairs(*pairs, run) : score_n_best(*list, run);
  const bool plain = !settings.files.plain.empty();
  if (job.divided()) job.ranks().sum({&totals.log_probability, 1});
  terminal.note(concat(counted(totals.pairs + output_run.earlier(), plain ? "line" : "pair"),
                       output_run.circumstances(), figures_text(totals, plain, output_run.earlier())));
  return 0;
}

}  // namespace

int run_score(std::span<const std::string> arguments) {
  return on_ranks([&](RankJob& job) { return score(arguments, job); });
}

}  // namespace gloss
