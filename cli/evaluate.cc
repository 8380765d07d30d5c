#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/evaluate_output.h"
#include "cli/metric_options.h"
#include "cli/options.h"
#include "cli/terminal.h"

namespace gloss {
namespace {

/// The command line of `gloss evaluate`.
struct Request {
  TestSetFiles files;
  std::vector<std::string> metrics{"bleu"};
  MetricOptions metric_options;
  bool sentence_level = false, force = false;
  bool confidence = false, paired_bootstrap = false, paired_randomization = false;
  int confidence_samples = 1000, bootstrap_samples = 1000, randomization_trials = 10000;
  std::string seed = "12345", encoding = "utf-8";
  int threads = available_processors();
  bool no_color = false;
  ScoreOutput output;

  bool paired() const { return paired_bootstrap || paired_randomization; }
};

void add_options(Options& options, Request& request) {
  options.positional("REFERENCE", request.files.references);
  options.add("Input",
              {{"input",
                &request.files.systems,
                "translations, one file per system; otherwise standard input, systems divided by tabs",
                {},
                'i'},
               {"num_refs",
                &request.files.reference_columns,
                "references in each line of the one REFERENCE, divided by tabs; a line may have fewer (-nr)",
                {1, 10000}},
               {"documents", &request.files.documents,
                "file with the id of each line's document: random samples are "
                "then of documents"},
               {"encoding", &request.encoding, "only utf-8", {}, 'e'},
               {"force", &request.force, "no warning of text that looks tokenised or untokenised"}});
  options.add("Metrics", {{"metrics", &request.metrics, "one or more of bleu, chrf, ter", {}, 'm'},
                          {"sentence_level", &request.sentence_level, "score each line by itself (-sl)"}});
  request.metric_options.add_to(options);
  options.add("Statistics",
              {{"confidence", &request.confidence, "95 % interval of one system by bootstrap (-ci)"},
               {"confidence_n", &request.confidence_samples, "random samples for it (-cin)", {2, 1e8}},
               {"paired_bs", &request.paired_bootstrap,
                "compare each system with the first by paired bootstrap (-pbs)"},
               {"paired_bs_n", &request.bootstrap_samples, "random samples for it (-pbsn)", {1, 1e8}},
               {"paired_ar", &request.paired_randomization,
                "compare each system with the first by approximate randomisation (-par)"},
               {"paired_ar_n", &request.randomization_trials, "trials for it (-parn)", {1, 1e8}},
               {"seed", &request.seed,
                "whole number, or none for another each time; otherwise SACREBLEU_SEED counts"},
               {"threads", &request.threads, "threads", {1, 1024}, 'j'}});
  options.add("Output", {{"format",
                          choice(request.output.format, {"json", "text", "latex"}),
                          "latex is for several systems; the variable SACREBLEU_FORMAT overrides this",
                          {},
                          'f'},
                         {"width", &request.output.width, "digits after the point", {0, 50}, 'w'},
                         {"score_only", &request.output.score_only, "only the score", {}, 'b'},
                         {"short", &request.output.short_names, "short names in signatures (-sh)"},
                         {"no_color", &request.no_color, "no colours on a terminal (-nc)"}});
  const std::pair<const char*, const char*> spellings[] = {
      {"-nr", "--num-refs"},      {"-sl", "--sentence-level"},   {"-ci", "--confidence"},
      {"-cin", "--confidence-n"}, {"-pbs", "--paired-bs"},       {"-pbsn", "--paired-bs-n"},
      {"-par", "--paired-ar"},    {"-parn", "--paired-ar-n"},    {"-sh", "--short"},
      {"-nc", "--no-color"},      {"--paired-jobs", "--threads"}};
  for (const auto& [spelling, option] : spellings) options.alias(spelling, option);
}

void check_request(const Request& request) {
  const TestSetFiles& files = request.files;
  if (files.references.empty()) {
    throw UsageError("expected one or more files of references before --input (-i)");
  }
  if (files.reference_columns != 1 && files.references.size() > 1) {
    throw UsageError(concat("--num-refs is for references in columns of one file, but there are ",
                            files.references.size(), " files"));
  }
  const auto is_stdin = [](const std::string& path) { return path == "-"; };
  const auto readers = std::count_if(files.references.begin(), files.references.end(), is_stdin) +
                       std::count_if(files.systems.begin(), files.systems.end(), is_stdin) +
                       (files.systems.empty() ? 1 : 0) + (files.documents == "-" ? 1 : 0);
  if (readers > 1) {
    throw UsageError(concat("standard input is to be read ", readers,
                            " times; give all but one input as files",
                            files.systems.empty() ? " (translations: --input)" : ""));
  }
  if (request.encoding != "utf-8" && request.encoding != "UTF-8" && request.encoding != "utf8") {
    throw UsageError(concat("--encoding is '", request.encoding, "'; only utf-8 is read"));
  }
  if (request.paired_bootstrap && request.paired_randomization) {
    throw UsageError("--paired-bs and --paired-ar exclude each other");
  }
  if (request.sentence_level && request.metrics.size() > 1) {
    throw UsageError("--sentence-level is for one metric");
  }
  if (request.sentence_level && (request.confidence || request.paired())) {
    throw UsageError("--sentence-level goes without statistics (--confidence, --paired-bs, --paired-ar)");
  }
}

/// Takes out repetitions of the first system, refuses others.
void check_systems(Request& request, Terminal& terminal) {
  std::vector<std::string>& systems = request.files.systems;
  for (std::size_t i = 1; i < systems.size();) {
    const auto earlier =
        std::find(systems.begin(), systems.begin() + static_cast<std::ptrdiff_t>(i), systems[i]);
    if (earlier == systems.begin() + static_cast<std::ptrdiff_t>(i)) {
      ++i;
    } else if (request.paired() && earlier == systems.begin()) {
      terminal.note(concat("ignoring ", systems[i], ", which is the baseline"));
      systems.erase(systems.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      throw UsageError(concat(systems[i], " is given as two systems (--input)"));
    }
  }
}

void check_system_count(const Request& request, std::size_t systems) {
  if (request.sentence_level && systems > 1) throw UsageError("--sentence-level is for one system");
  if (request.paired() && systems == 1) {
    throw UsageError("a paired test needs several systems: --input BASELINE SYSTEM...");
  }
  if (request.confidence && systems > 1) {
    throw UsageError("--confidence is for one system; --paired-bs gives the intervals of several");
  }
}

EvaluationSettings evaluation_settings(const Request& request, const Options& options) {
  EvaluationSettings settings;
  settings.seed = seed_from(options, request.seed);
  settings.threads = request.threads;
  if (request.confidence) {
    settings.statistics = Statistics::confidence;
    settings.samples = request.confidence_samples;
  } else if (request.paired_bootstrap) {
    settings.statistics = Statistics::paired_bootstrap;
    settings.samples = request.bootstrap_samples;
  } else if (request.paired_randomization) {
    settings.statistics = Statistics::paired_randomization;
    settings.samples = request.randomization_trials;
  }
  return settings;
}

/// The environment overrides the option, as with sacreBLEU.
void choose_format(Request& request) {
  const char* variable = std::getenv("SACREBLEU_FORMAT");
  if (variable == nullptr) return;
  std::string name = variable;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name == "json") request.output.format = ScoreFormat::json;
  if (name == "text") request.output.format = ScoreFormat::text;
  if (name == "latex") request.output.format = ScoreFormat::latex;
}

void write_sentences(Output& out, const Metric& metric, const TestSet& test, const SignatureFacts& facts,
                     const Request& request) {
  const auto comparer = metric.comparer();
  std::vector<double> figures(metric.figures());
  SignatureFacts of_line = facts;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    comparer->set_references(test.references[i]);
    comparer->compare(test.systems[0][i], figures);
    of_line.references = concat(test.references[i].size());
    const SystemResult result{metric.score(figures), metric.details(figures), {}, {}};
    out.line(
        score_line(metric, result, signature(metric, of_line, request.output.short_names), request.output));
  }
}

}  // namespace

int run_evaluate(std::span<const std::string> arguments) {
  Options options("evaluate", "REFERENCE... [-i SYSTEM...] [OPTION...]",
                  "scores translations with sacreBLEU's figures");
  Request request;
  add_options(options, request);
  if (!options.parse(arguments)) return 0;
  check_request(request);
  choose_format(request);
  request.output.color =
      !request.no_color && std::getenv("NO_COLOR") == nullptr && isatty(STDOUT_FILENO) != 0;
  Terminal terminal("evaluate", options.quiet());
  check_systems(request, terminal);

  MetricSettings metric_settings = request.metric_options.settings(options);
  if (request.sentence_level) metric_settings.bleu.effective_order = true;
  const auto metrics = make_metrics(request.metrics, metric_settings, request.paired());
  const EvaluationSettings settings = evaluation_settings(request, options);
  const TestSet test = read_test_set(request.files, terminal);
  check_system_count(request, test.systems.size());
  const bool with_bleu =
      std::find(request.metrics.begin(), request.metrics.end(), "bleu") != request.metrics.end();
  if (with_bleu && !request.force) check_tokenization(test, metric_settings.bleu.tokenize, terminal);

  const SignatureFacts facts{test.reference_count(), &settings, !test.documents.empty(),
                             "gloss-" GLOSS_VERSION};
  Output out;
  if (request.sentence_level) {
    write_sentences(out, *metrics[0], test, facts, request);
  } else {
    const Evaluation evaluation = evaluate(test, metrics, settings);
    if (test.systems.size() == 1) {
      write_scores(out, metrics, evaluation, facts, request.output);
    } else {
      write_table(out, metrics, test, evaluation, facts, request.output);
    }
  }
  out.close();
  return 0;
}

}  // namespace gloss
