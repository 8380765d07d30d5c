// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/label_report.h"

namespace gloss {

LabelReport report_labels(const TestSet& test, std::shared_ptr<const LabelTable> table,
                          const EvaluationSettings& settings) {
  LabelReport report;
  report.confusion.assign(table->size(), std::vector<std::size_t>(table->size()));
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    ++report.confusion[table->number(test.references[i][0])][table->number(test.systems[0][i])];
  }
  const auto scores = [&](LabelRow& row, const auto& which) {
    std::vector<std::unique_ptr<Metric>> metrics;
    for (const LabelScore score : {LabelScore::precision, LabelScore::recall, LabelScore::f1}) {
      metrics.push_back(std::make_unique<LabelMetric>(table, score, which));
    }
    const Evaluation evaluation = evaluate(test, metrics, settings);
    row.precision = evaluation.results[0][0];
    row.recall = evaluation.results[1][0];
    row.f1 = evaluation.results[2][0];
  };
  for (std::size_t label = 0; label < table->size(); ++label) {
    LabelRow& row = report.labels.emplace_back();
    row.name = table->name(label);
    for (std::size_t other = 0; other < table->size(); ++other) {
      row.references += report.confusion[label][other];
      row.predictions += report.confusion[other][label];
    }
    scores(row, label);
  }
  report.macro.name = "macro average";
  report.micro.name = "micro average";
  for (LabelRow* all : {&report.macro, &report.micro}) {
    all->references = all->predictions = test.references.size();
  }
  scores(report.macro, LabelAverage::macro);
  scores(report.micro, LabelAverage::micro);
  return report;
}

}  // namespace gloss
