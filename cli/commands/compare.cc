// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/counted.h"
#include "base/enumeration.h"
#include "base/error.h"
#include "base/files.h"
#include "base/threads.h"
#include "cli/commands/evaluate_output.h"
#include "cli/commands/short_names.h"
#include "cli/options/compute_options.h"
#include "cli/options/metric_options.h"
#include "cli/options/options.h"
#include "cli/options/output_conflicts.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/pages/comparison_page.h"

namespace gloss {
namespace {

/// The command line of `gloss compare`.
struct CompareRequest {
  std::vector<std::string> words;   // the reference, then the systems; with inputs, the references
  std::vector<std::string> inputs;  // the systems
  TestSetFiles files;
  std::vector<std::string> metrics{"bleu", "chrf"};
  std::vector<std::string> more_references;
  MetricOptions metric_options;
  std::string html, title = "Comparison of translations", seed = "12345";
  int samples = 1000, length_groups = 0, threads = available_processors();
  bool force = false, no_color = false;
  ScoreOutput output;
};

void add_input(Options& options, CompareRequest& request) {
  options.add("Input",
              {{"input",
                &request.inputs,
                "translations, one file per system, the baseline first; then all arguments are references",
                {},
                'i',
                "FILE"},
               {"references", &request.more_references, "more files of references", {}, 0, "FILE"},
               {"num_refs",
                &request.files.reference_columns,
                "number of references per line of REFERENCE, separated by tabs; a line may have fewer (-nr)",
                {1, 10000}},
               {"documents",
                &request.files.documents,
                "file with the document id of each line; random samples are then of documents",
                {},
                0,
                "FILE"},
               {"source", &request.files.source, "source text to show in the report (--html)", {}, 0, "FILE"},
               {"strip_bom", &request.files.strip_byte_order_mark,
                "remove byte order marks at the start of files; else they are scored, as sacreBLEU does"},
               {"force", &request.force, "do not warn of text that looks tokenised or untokenised"}});
}

void add_metrics_and_output(Options& options, CompareRequest& request) {
  options.add("Metrics", {{"metrics",
                           &request.metrics,
                           concat("one or more of ", join(metric_names(), ", ")),
                           {},
                           'm',
                           "METRIC"}});
  request.metric_options.add_to(options);
  options.add(
      "Lengths",
      {{"length_groups",
        &request.length_groups,
        "also print scores by reference length, in N groups of about equal size; 0: only in the report, "
        "for 0-9, 10-19, ... words",
        {0, 1000}}});
  options.add("Statistics",
              {{"samples", &request.samples, "random samples of the paired bootstrap test", {2, 1e8}},
               {"seed",
                &request.seed,
                "random seed, or none for a new one each time; SACREBLEU_SEED sets the default",
                {},
                0,
                "N"},
               threads_field(request.threads)});
  options.add(
      "Output",
      {{"html", &request.html, "write a report to FILE, a self-contained HTML page", {}, 0, "FILE", kWritten},
       {"title", &request.title, "title of the report (--html)", {}, 0, "TITLE"},
       {"format", score_format_choice(request.output.format), "format of the table", {}, 'f'},
       {"width", &request.output.width, "number of decimal places", {0, 50}, 'w'},
       {"short", &request.output.short_names, "print short signatures (-sh)"},
       {"no_color", &request.no_color, "print without colours (-nc)"}});
}

void add_options(Options& options, CompareRequest& request) {
  options.usage("REFERENCE BASELINE [SYSTEM...] [OPTION...]",
                "compare systems by scores, significance and sentences");
  request.output.format = ScoreFormat::text;
  options.positional("REFERENCE", request.words);
  add_input(options, request);
  add_metrics_and_output(options, request);
  const std::pair<const char*, const char*> spellings[] = {
      {"-nr", "--num-refs"}, {"-sh", "--short"}, {"-nc", "--no-color"}, {"--paired-bs-n", "--samples"}};
  for (const auto& [spelling, option] : spellings) options.alias(spelling, option);
  options.common({&request.inputs, &request.metrics, &request.samples, &request.length_groups, &request.html,
                  &request.files.source, &request.output.format, &request.threads});
  options.example("Compare a system with a baseline", "gloss compare reference.de baseline.de new.de");
  options.example("Write a report with the sentences that differ most",
                  "gloss compare ref.de old.de new.de --source text.en --html report.html");
}

/// Throws UsageError for options of the report without a report.
void expect_report(const CompareRequest& request, const Options& options) {
  expect_named_file("html", request.html);
  if (!request.html.empty()) return;
  const auto refuse = [](const std::string& option) {
    throw UsageError(concat(option, " has no effect without --html FILE: only the report shows it"));
  };
  if (options.given(request.files.source)) refuse("--source");
  if (options.given(request.title)) refuse("--title");
}

void take_files(CompareRequest& request) {
  const bool plain = request.inputs.empty();
  if (request.words.size() < (plain ? 2 : 1)) {
    throw UsageError("expected a reference and one or more systems: gloss compare REFERENCE SYSTEM...");
  }
  const auto systems = plain ? request.words.begin() + 1 : request.words.end();
  request.files.references.assign(request.words.begin(), systems);
  for (const std::string& path : request.more_references) request.files.references.push_back(path);
  request.files.systems = plain ? std::vector(systems, request.words.end()) : request.inputs;
  if (request.files.reference_columns != 1 && request.files.references.size() > 1) {
    throw UsageError("--num-refs is for references in columns of one file; leave out --references");
  }
  std::vector<std::string> all = request.files.references;
  all.insert(all.end(), request.files.systems.begin(), request.files.systems.end());
  all.insert(all.end(), {request.files.source, request.files.documents});
  if (std::count(all.begin(), all.end(), "-") > 1) {
    throw UsageError("standard input is to be read more than once; give all but one input as files");
  }
  std::vector<std::string> sorted = request.files.systems;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw UsageError(concat(*twice, " is given as two systems"));
}

void write_report(const CompareRequest& request, TestSet test,
                  std::span<const std::unique_ptr<Metric>> metrics, const MetricSettings& settings,
                  const Evaluation& evaluation, const LengthScores& lengths, const SignatureFacts& facts) {
  ReportFacts report{
      request.title, std::filesystem::path(request.words[0]).filename().string(), {}, test.source};
  for (const auto& metric : metrics) report.signatures.push_back(signature(*metric, facts, false));
  MetricSettings of_sentences = settings;
  of_sentences.bleu.effective_order = true;
  const auto sentence_metrics = make_metrics(request.metrics, of_sentences, true);
  test.names = short_names(test.names);
  const Comparison comparison = compare_systems(test, sentence_metrics, evaluation, settings.bleu);
  write_file(request.html, report_page(test, metrics, evaluation, lengths, comparison, report));
}

int run_compare(const Options& options, CompareRequest& request) {
  expect_report(request, options);
  take_files(request);
  request.output.color =
      !request.no_color && std::getenv("NO_COLOR") == nullptr && isatty(STDOUT_FILENO) != 0;
  Terminal terminal("compare", options.quiet());
  fit_threads(request.threads, terminal);

  std::vector<std::string> used = request.metrics;
  used.push_back("bleu");  // the words of the comparison are those of its tokenizer
  const MetricSettings metric_settings = request.metric_options.settings(options, used, terminal);
  const auto metrics = make_metrics(request.metrics, metric_settings, true);
  const EvaluationSettings settings{Statistics::paired_bootstrap, request.samples,
                                    seed_from(options, request.seed), request.threads};
  if (request.files.references.size() > 1) {
    terminal.note("compares with " + counted(std::ssize(request.files.references), "reference") + ": " +
                  enumeration(request.files.references));
  }
  const TestSet test = read_test_set(request.files, terminal);
  if (!request.force) check_tokenization(test, metric_settings.bleu.tokenize, terminal);
  const SignatureFacts facts{test.reference_count(), &settings, !test.documents.empty(),
                             "gloss-" GLOSS_VERSION};
  const Evaluation evaluation = evaluate(test, metrics, settings);
  std::optional<LengthScores> lengths;
  if (request.length_groups > 0 || !request.html.empty()) {
    lengths = scores_by_length(test, metrics, evaluation, metric_settings.bleu, request.length_groups);
  }
  Output out;
  write_table(out, metrics, test, evaluation, facts, request.output,
              request.length_groups > 0 ? &*lengths : nullptr);
  if (!request.html.empty()) {
    write_report(request, test, metrics, metric_settings, evaluation, *lengths, facts);
    terminal.note("wrote " + request.html);
  }
  out.close();
  return 0;
}

}  // namespace

Work declare_compare(Options& options) { return work_on<CompareRequest>(options, add_options, run_compare); }

}  // namespace gloss
