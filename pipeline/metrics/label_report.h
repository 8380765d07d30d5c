#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"
#include "pipeline/metrics/labels.h"

namespace gloss {

/// How well one label, or all of them, were predicted.
struct LabelRow {
  std::string name;
  SystemResult precision, recall, f1;
  std::size_t references = 0, predictions = 0;  ///< how often it stands there
};

/// What there is to know of the labels that one system predicted.
struct LabelReport {
  std::vector<LabelRow> labels;
  LabelRow macro, micro;
  /// How often a label (row) was taken for another (column), or for itself.
  std::vector<std::vector<std::size_t>> confusion;
};

/// Looks at the first system of a test set.
LabelReport report_labels(const TestSet&, std::shared_ptr<const LabelTable>, const EvaluationSettings&);

}  // namespace gloss
