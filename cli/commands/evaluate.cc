// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/error.h"
#include "cli/commands/evaluate_perplexity.h"
#include "cli/commands/evaluate_request.h"
#include "cli/commands/label_output.h"
#include "cli/options/compute_options.h"
#include "cli/table/commands.h"
#include "pipeline/reading/story_reader.h"
#include "pipeline/reading/text_files.h"

namespace gloss {
namespace {

/// A test set that was read, and how it is to be scored.
struct Scoring {
  const EvaluateRequest& request;
  const EvaluationSettings settings;
  const TestSet test;
  const SignatureFacts facts{test.reference_count(), &settings, !test.documents.empty(),
                             "gloss-" GLOSS_VERSION};
};

void write_sentences(Output& out, const Metric& metric, const Scoring& scoring) {
  const auto comparer = metric.comparer();
  std::vector<double> figures(metric.figures());
  const TestSet& test = scoring.test;
  const ScoreOutput& output = scoring.request.output;
  SignatureFacts of_line = scoring.facts;
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    comparer->set_references(test.references[i]);
    comparer->compare(test.systems[0][i], figures);
    of_line.references = concat(test.references[i].size());
    const SystemResult result{metric.score(figures), metric.details(figures), {}, {}};
    out.line(sentence_text(i, metric, result, of_line, output));
  }
}

/// Scores the lines, the only system, or each of several in a table.
void write_results(Output& out, Metrics metrics, const Scoring& scoring) {
  const EvaluateRequest& request = scoring.request;
  if (request.sentence_level) return write_sentences(out, *metrics[0], scoring);
  const Evaluation evaluation = evaluate(scoring.test, metrics, scoring.settings);
  if (scoring.test.systems.size() > 1) {
    write_table(out, metrics, scoring.test, evaluation, scoring.facts, request.output);
  } else {
    out.line(scores_text(metrics, evaluation, scoring.facts, request.output));
  }
}

void evaluate_translations(Output& out, EvaluateRequest& request, const Options& options,
                           Terminal& terminal) {
  MetricSettings metric_settings = request.metric_options.settings(options, request.metrics, terminal);
  if (request.sentence_level) metric_settings.bleu.effective_order = true;
  const auto metrics = make_metrics(request.metrics, metric_settings, request.paired());
  const Scoring scoring{request, evaluation_settings(request, options),
                        read_test_set(request.files, terminal)};
  check_system_count(request, scoring.test.systems.size(), terminal);
  const bool with_bleu =
      std::find(request.metrics.begin(), request.metrics.end(), "bleu") != request.metrics.end();
  if (with_bleu && !request.force) {
    check_tokenization(scoring.test, metric_settings.bleu.tokenize, terminal);
  }
  write_results(out, metrics, scoring);
}

void evaluate_labels(Output& out, const EvaluateRequest& request, const Options& options,
                     Terminal& terminal) {
  const Scoring scoring{request, evaluation_settings(request, options), read_labels(request.files, terminal)};
  const TestSet& test = scoring.test;
  check_system_count(request, test.systems.size(), terminal);
  const auto table = std::make_shared<const LabelTable>(test);
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::string& name : distinct_names(request.metrics, request.paired())) {
    metrics.push_back(make_label_metric(name, table, request.average));
  }
  const bool plain = request.task == EvaluationTask::answer || request.sentence_level ||
                     test.systems.size() > 1 || request.output.score_only;
  if (plain) return write_results(out, metrics, scoring);
  const Evaluation evaluation = evaluate(test, metrics, scoring.settings);
  write_labels(out, scores_text(metrics, evaluation, scoring.facts, request.output),
               report_labels(test, table, scoring.settings), request.output, terminal);
}

/// The answers of a file with stories.
std::vector<std::string> right_answers(const std::string& path) {
  TextFiles lines({path});
  StoryReader stories(lines, StoryReader::Part::answer);
  std::vector<std::string> answers;
  for (std::string answer; stories.next(answer);) answers.push_back(answer);
  if (answers.empty()) {
    throw InputError(input_name(path) +
                     ": there is no question; expected lines 'story TAB question TAB answer'");
  }
  return answers;
}

void evaluate_links(Output& out, const EvaluateRequest& request, const Options& options, Terminal& terminal) {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::string& name : distinct_names(request.metrics, request.paired())) {
    metrics.push_back(make_link_metric(name));
  }
  const Scoring scoring{request, evaluation_settings(request, options),
                        read_links(request.files, request.links, terminal)};
  check_system_count(request, scoring.test.systems.size(), terminal);
  write_results(out, metrics, scoring);
}

int run_evaluate(const Options& options, EvaluateRequest& request) {
  Terminal terminal("evaluate", options.quiet());
  complete(request, options, terminal);
  fit_threads(request.threads, terminal);
  Output out;
  switch (request.task) {
    case EvaluationTask::translate:
      evaluate_translations(out, request, options, terminal);
      break;
    case EvaluationTask::classify:
      evaluate_labels(out, request, options, terminal);
      break;
    case EvaluationTask::answer:
      request.files.right_answers = right_answers(request.files.references[0]);
      evaluate_labels(out, request, options, terminal);
      break;
    case EvaluationTask::align:
      evaluate_links(out, request, options, terminal);
      break;
    case EvaluationTask::lm:  // has its own work
      break;
  }
  out.close();
  return 0;
}

}  // namespace

Work declare_evaluate(Options& options) {
  EvaluationTask task = EvaluationTask::translate;
  options.look({task_field(task)});
  if (task == EvaluationTask::lm) return declare_perplexity(options);
  return work_on<EvaluateRequest>(options, add_options, run_evaluate);
}

}  // namespace gloss
