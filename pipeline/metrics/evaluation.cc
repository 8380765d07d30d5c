// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "base/threads.h"
#include "pipeline/metrics/error_rate.h"
#include "pipeline/metrics/metric_table.h"

namespace gloss {
namespace {

template <class Made, auto settings>
std::unique_ptr<Metric> with_settings(const MetricSettings& all) {
  return std::make_unique<Made>(all.*settings);
}

template <ErrorUnit unit>
std::unique_ptr<Metric> error_rate(const MetricSettings&) {
  return std::make_unique<ErrorRate>(unit);
}

/// The metrics of recognised text.
constexpr auto kRecognitionMetrics = std::to_array<MetricKind<const MetricSettings&>>(
    {{"wer", error_rate<ErrorUnit::words>}, {"cer", error_rate<ErrorUnit::characters>}});

/// The metrics of translations.
constexpr auto kMetrics = std::to_array<MetricKind<const MetricSettings&>>({
    {"bleu", with_settings<Bleu, &MetricSettings::bleu>},
    {"chrf", with_settings<Chrf, &MetricSettings::chrf>},
    {"ter", with_settings<Ter, &MetricSettings::ter>},
    kRecognitionMetrics[0],
    kRecognitionMetrics[1],
});

/// Adds confidence intervals if requested.
void add_intervals(const Metric& metric, const Figures& figures, const EvaluationSettings& settings,
                   SystemResult& result, std::vector<double>& samples) {
  samples = bootstrap_scores(metric, figures, settings.samples, settings.seed);
  result.interval =
      settings.statistics == Statistics::confidence ? confidence_interval(samples) : paired_interval(samples);
}

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = names_of(kMetrics);
  return names;
}

const std::vector<std::string>& recognition_metric_names() {
  static const std::vector<std::string> names = names_of(kRecognitionMetrics);
  return names;
}

std::unique_ptr<Metric> make_metric(const std::string& name, const MetricSettings& settings,
                                    const std::string& option) {
  return kind_named(kMetrics, name, option).make(settings);
}

Evaluation evaluate(const TestSet& test, std::span<const std::unique_ptr<Metric>> metrics,
                    const EvaluationSettings& settings) {
  Evaluation result;
  result.figures = compare_all(metrics, test.systems, test.references, settings.threads);
  const std::size_t systems = test.systems.size();
  std::vector<std::vector<std::vector<double>>> samples(metrics.size());
  // Random samples are drawn from the segments or the documents.
  const bool by_document = !test.documents.empty() && settings.statistics != Statistics::none;
  std::vector<std::vector<Figures>> documents(by_document ? metrics.size() : 0);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    result.results.emplace_back(systems);
    samples[m].resize(systems);
    if (!by_document) continue;
    for (const Figures& figures : result.figures[m]) documents[m].push_back(figures.grouped(test.documents));
  }
  const auto& drawn_from = by_document ? documents : result.figures;

  const auto for_each_result = [&](const std::function<void(std::size_t, std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    const std::size_t count = metrics.size() * systems;
    const int threads = settings.statistics == Statistics::none ? 1 : settings.threads;
    run_workers(std::max(1, std::min(threads, static_cast<int>(count))), [&](int) {
      for (std::size_t i = next++; i < count; i = next++) work(i / systems, i % systems);
    });
  };
  for_each_result([&](std::size_t m, std::size_t system) {
    SystemResult& out = result.results[m][system];
    const std::vector<double> sums = result.figures[m][system].sums();
    out.score = metrics[m]->score(sums);
    out.details = metrics[m]->details(sums);
    if (settings.statistics == Statistics::confidence ||
        settings.statistics == Statistics::paired_bootstrap) {
      add_intervals(*metrics[m], drawn_from[m][system], settings, out, samples[m][system]);
    }
  });
  for_each_result([&](std::size_t m, std::size_t system) {
    if (system == 0) return;
    SystemResult& out = result.results[m][system];
    const double difference = std::abs(result.results[m][0].score - out.score);
    if (settings.statistics == Statistics::paired_bootstrap) {
      out.p_value = paired_bootstrap_p(samples[m][0], samples[m][system], difference);
    } else if (settings.statistics == Statistics::paired_randomization) {
      out.p_value = randomization_p(*metrics[m], drawn_from[m][0], drawn_from[m][system], settings.samples,
                                    settings.seed);
    }
  });
  return result;
}

std::string signature(const Metric& metric, const SignatureFacts& facts, bool short_names) {
  SignatureFields fields{{"nrefs", "#", facts.references}};
  if (facts.statistics != nullptr && facts.statistics->statistics != Statistics::none) {
    const std::string name = facts.statistics->statistics == Statistics::paired_randomization ? "ar" : "bs";
    fields.push_back({name, name, concat(facts.statistics->samples)});
    fields.push_back({"seed", "rs", facts.statistics->seed.text});
    if (facts.documents) fields.push_back({"unit", "u", "document"});
  }
  for (const SignatureField& field : metric.signature()) fields.push_back(field);
  fields.push_back({"version", "v", facts.version});
  std::string text;
  for (const SignatureField& field : fields) {
    text += concat(text.empty() ? "" : "|", short_names ? field.short_name : field.name, ":", field.value);
  }
  return text;
}

}  // namespace gloss
