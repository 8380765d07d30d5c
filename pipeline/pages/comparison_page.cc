// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/comparison_page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline/pages/page.h"
#include "pipeline/pages/web_files.h"

namespace gloss {
namespace {

using nlohmann::json;

double rounded(double value, double unit) { return std::round(value / unit) * unit; }

json results_of(const std::vector<SystemResult>& results) {
  json list = json::array();
  for (const SystemResult& result : results) {
    json one{{"score", result.score}};
    if (result.interval) one["interval"] = {result.interval->mean, result.interval->half_width};
    if (result.p_value) one["p"] = *result.p_value;
    list.push_back(std::move(one));
  }
  return list;
}

json ngrams_of(const std::vector<NgramDifference>& differences) {
  json list = json::array();
  for (const NgramDifference& one : differences) list.push_back({one.text, one.baseline, one.system});
  return list;
}

json sentences_of(const TestSet& test, const LengthScores& lengths, const Comparison& comparison,
                  const std::vector<std::string>& source) {
  json list = json::array();
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    json one{{"r", test.references[i]}, {"n", lengths.of_segments[i]}};
    if (!source.empty()) one["s"] = source[i];
    json outputs = json::array(), scores = json::array();
    for (const auto& lines : test.systems) outputs.push_back(lines[i]);
    for (const auto& metric : comparison.sentence_scores) {
      json of_metric = json::array();
      for (const auto& system : metric) of_metric.push_back(rounded(system[i], 0.01));
      scores.push_back(std::move(of_metric));
    }
    one["h"] = std::move(outputs);
    one["v"] = std::move(scores);
    list.push_back(std::move(one));
  }
  return list;
}

json report_data(const TestSet& test, std::span<const std::unique_ptr<Metric>> metrics,
                 const Evaluation& evaluation, const LengthScores& lengths, const Comparison& comparison,
                 const ReportFacts& facts) {
  json data{{"title", facts.title}, {"references", facts.references}, {"systems", json::array()}};
  for (const std::string& name : test.names) data["systems"].push_back(printable_text(name));
  data["metrics"] = json::array();
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    data["metrics"].push_back({{"name", metrics[m]->name()},
                               {"signature", facts.signatures[m]},
                               {"lowerIsBetter", metrics[m]->lower_is_better()},
                               {"results", results_of(evaluation.results[m])}});
  }
  data["lengths"] = json::array();
  for (const LengthBucket& bucket : lengths.buckets) {
    data["lengths"].push_back({{"name", bucket.name}, {"count", bucket.segments}, {"scores", bucket.scores}});
  }
  data["frequencies"] = json::array();
  for (const FrequencyBucket& bucket : comparison.frequencies) {
    data["frequencies"].push_back(
        {{"name", bucket.name}, {"count", bucket.words}, {"scores", bucket.f_scores}});
  }
  data["ngrams"] = json::array();
  for (const NgramDifferences& one : comparison.ngrams) {
    data["ngrams"].push_back({{"gained", ngrams_of(one.gained)}, {"lost", ngrams_of(one.lost)}});
  }
  data["sentences"] = sentences_of(test, lengths, comparison, facts.source);
  return data;
}

}  // namespace

std::string report_page(const TestSet& test, std::span<const std::unique_ptr<Metric>> metrics,
                        const Evaluation& evaluation, const LengthScores& lengths,
                        const Comparison& comparison, const ReportFacts& facts) {
  return self_contained_page({facts.title, kReportStyle, kReportBody,
                              report_data(test, metrics, evaluation, lengths, comparison, facts),
                              kReportProgram});
}

}  // namespace gloss
