// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"
#include "pipeline/metrics/label_metric.h"

namespace gloss {

/// The scores of one label or an average over all labels.
struct LabelRow {
  std::string name;
  SystemResult precision, recall, f1;
  std::size_t references = 0, predictions = 0;  ///< number of occurrences
};

/// The scores of a classifier by label, and its confusion matrix.
struct LabelReport {
  std::vector<LabelRow> labels;
  LabelRow macro, micro;
  /// The confusion matrix: numbers of lines by reference label (row) and predicted label (column).
  std::vector<std::vector<std::size_t>> confusion;
};

/// Reports on the first system of a test set.
LabelReport report_labels(const TestSet&, std::shared_ptr<const LabelTable>, const EvaluationSettings&);

}  // namespace gloss
