// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/score_request.h"

#include "base/error.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr const char* kScoreFormats =
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

void check_paragraphs(const ScoreRequest& request) {
  check(request.paragraphs);
  if (!request.paragraphs.split) return;
  if (request.files.plain.empty()) {
    throw UsageError(
        "--split is for text of one side (--input): a translation need not have the sentences of its source; "
        "split both sides with 'gloss split' and align the sentences");
  }
  if (request.translation.word_scores) {
    throw UsageError(
        "--word-scores is about one sentence and excludes --split; split the text with 'gloss split'");
  }
}

void check_files(const ScoreRequest& request) {
  if (!request.files.plain.empty()) {
    const ParallelFiles& files = request.files;
    if (!files.source.empty() || !files.target.empty() || !files.tsv.empty() ||
        !request.n_best_list.empty()) {
      throw UsageError(
          "--input is text for a language model; it needs neither --source, --target, --tsv nor "
          "--n-best-list");
    }
  } else if (request.n_best_list.empty()) {
    if (request.files.source.empty() && request.files.target.empty() && request.files.tsv.empty()) {
      throw UsageError(
          "expected --source and --target, or --tsv; for a language model --input, where '-' is standard "
          "input");
    }
    check(request.files, "");
  } else if (request.files.source.empty() || !request.files.target.empty() || !request.files.tsv.empty()) {
    throw UsageError(
        "--n-best-list is scored against --source; it needs that and neither --target nor --tsv");
  } else if (request.translation.word_scores || request.format == OutputFormat::json) {
    throw UsageError("--n-best-list writes the list; leave out --word-scores and --format");
  }
  expect_standard_input_once({request.files.source, request.files.target, request.n_best_list});
}

}  // namespace

void add_options(Options& options, ScoreRequest& request) {
  options.usage("-m DIR (--source FILE --target FILE | --input FILE) [OPTION]",
                "compute log-probabilities of translations or text");
  request.translation.search.length_penalty = 0;
  Fields model = ensemble_fields(request.models, request.weights);
  append(model, fields_of(request.languages));
  options.add("Model", model);
  Fields files = fields_of(request.files, "", "text");
  files.push_back({"input",
                   &request.files.plain,
                   "text for a language model, instead of --source and --target",
                   {},
                   'i',
                   "FILE"});
  files.push_back({"n_best_list",
                   &request.n_best_list,
                   "n-best list that 'gloss translate --n-best' made of --source, instead of --target",
                   {},
                   0,
                   "FILE"});
  files.push_back(
      {"output", &request.output, "file for the scores; '-' is standard output", {}, 'o', "FILE", kWritten});
  append(files, {resume_field(request.resume), shard_field(request.shard),
                 line_limit_field(request.files.max_line_bytes, "cut")});
  add_traits(files, kFreeOnResume, request.files.source, request.files.target, request.files.tsv,
             request.files.plain, request.n_best_list);
  options.add("Files", files);
  options.add(
      "Sentences",
      fields_of(request.paragraphs,
                "score each sentence of a line of --input by itself; their sums are those of the line"));
  Fields output = {
      {"format", choice(request.format, {"text", "json"}), "output lines of text or of JSON"},
      {"word_scores", &request.translation.word_scores, "add the log-probability of each word"},
      {"summary", &request.summary, "write only the sums, cross-entropy and perplexity of all pairs"},
      {"feature", &request.feature, "name of the feature to add to an n-best list", {}, 0, "NAME"},
      {"swap_sides", &request.swap_sides,
       "score each source given its translation, under a model of the other direction (noisy channel)"},
      {"length_penalty",
       &request.translation.search.length_penalty,
       "A in score = log-probability / length^A; the default of translate is 1",
       {0, 10}}};
  options.add("Output", output);
  Fields speed = fields_of(request.translation.batches);
  for (Field& field : speed)
    field.help = refers_to(field, request.translation.batches.batch_size) ? "most pairs in a batch"
                                                                          : "most tokens in a batch";
  speed.push_back(precision_field(request.precision));
  speed.push_back(threads_field(request.threads));
  options.add("Speed", speed);
  options.common({&request.models, &request.files.source, &request.files.target, &request.files.plain,
                  &request.output, &request.summary, &request.translation.word_scores, &request.threads});
  options.example("Write the log-probability of each translation",
                  "gloss score -m model --source text.en --target text.de");
  options.example("Add the probability of each source given its translation to an n-best list",
                  "gloss score -m back --source en --n-best-list n --swap-sides --feature Back");
  options.example("Compute the perplexity of a language model on a text",
                  "gloss score -m model --input text --summary");
  options.epilogue(kScoreFormats);
}

void check(const ScoreRequest& request, const Options& options) {
  check_paragraphs(request);
  check_files(request);
  if (request.feature.empty() || request.feature.find_first_of(" |=") != std::string::npos) {
    throw UsageError(
        concat("--feature: found ", shown(request.feature), ", expected a name without ' ', '|' and '='"));
  }
  if (request.swap_sides && request.n_best_list.empty()) {
    throw UsageError(
        "--swap-sides is for the translations of an n-best list (--n-best-list); of two files, give the "
        "translations as --source and their sources as --target instead");
  }
  if (request.summary && (options.given(request.format) || options.given(request.translation.word_scores) ||
                          options.given(request.feature))) {
    throw UsageError("--summary writes sums alone; leave out --format, --word-scores and --feature");
  }
}

}  // namespace gloss
