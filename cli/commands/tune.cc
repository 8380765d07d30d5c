// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/enumeration.h"
#include "base/error.h"
#include "base/output.h"
#include "cli/options/input_files.h"
#include "cli/options/metric_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/metrics/evaluation.h"
#include "pipeline/reranking/tuning_set.h"

namespace gloss {
namespace {

struct TuneSettings {
  InputFiles list;
  std::string output = "-", metric = "bleu";
  std::vector<std::string> references;
  TuningSettings search;
  MetricOptions metric_options;
};

std::string two_decimals(double score) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", score);
  return text;
}

void check(const TuneSettings& settings) {
  if (settings.references.empty())
    throw UsageError("--references FILE is required: what translations are compared with");
}

void add_options(Options& options, TuneSettings& settings) {
  options.usage("[FILE] --references FILE... [OPTION...] > WEIGHTS",
                "learn the weights of features, for reranking");
  options.add("Files",
              {{"references",
                &settings.references,
                "reference translations, a line for each source line; several files are several references",
                {},
                'r',
                "FILE"},
               input_field(settings.list, options, "n-best list with features"),
               {"output",
                &settings.output,
                "file for the weights; '-' is standard output",
                {},
                'o',
                "FILE",
                kWritten}});
  Fields search{{"metric",
                 &settings.metric,
                 concat("the score to improve: ", enumeration(metric_names(), "or")),
                 {},
                 0,
                 "METRIC"}};
  for (Field& field : fields_of(settings.search)) search.push_back(std::move(field));
  options.add("Search", search);
  settings.metric_options.add_to(options);
  options.common({&settings.references, &settings.list.input, &settings.output, &settings.metric,
                  &settings.search.restarts, &settings.search.seed});
  options.example("Learn weights on the validation text", "gloss tune -r valid.de < valid.list > weights");
  options.example("Use them", "gloss rerank --weights weights < test.list > test.out");
  options.example("Tune for chrF with two references", "gloss tune --metric chrf -r a.de b.de -i valid.list");
}

int run_tune(const Options& options, TuneSettings& settings) {
  check(settings);
  Terminal terminal("tune", options.quiet());
  const std::unique_ptr<Metric> metric = make_metric(
      settings.metric, settings.metric_options.settings(options, {{settings.metric}}, terminal), "--metric");
  const ReferenceLines references(settings.references);  // before the list, which may be typed
  CandidateReader list(one_file_to_read(settings.list, options));
  Output output(settings.output);
  const TuningSet set = read_tuning_set(list, references, *metric);
  std::vector<double> first(set.names.size(), 0.0);
  first.front() = 1;
  const double before = score_of_choice(set, first, *metric);
  const TunedWeights tuned = tune(set, *metric, settings.search);
  output.write(weights_text(tuned.weights));
  output.close();
  terminal.note(concat(counted(std::ssize(set.lines), "line"), ", ",
                       counted(std::ssize(set.names), "feature"), ": ", metric->name(), " ",
                       two_decimals(tuned.score), "; by ", set.names.front(), " alone ",
                       two_decimals(before)));
  return 0;
}

}  // namespace

Work declare_tune(Options& options) { return work_on<TuneSettings>(options, add_options, run_tune); }

}  // namespace gloss
