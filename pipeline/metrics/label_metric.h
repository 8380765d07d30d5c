// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/listener.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/test_set.h"

namespace gloss {

/// Reads one label per line, up to the first tab, so that labelled text and the output of classifiers can be
/// read directly. Throws InputError for a line without a label, for systems without any label of the
/// references, and for implausibly many labels; warns about labels that no reference has, which always count
/// as wrong, and about references with a single label.
TestSet read_labels(const TestSetFiles&, Listener&);

/// All labels of a test set, sorted by bytes; a label's number is its index.
class LabelTable {
 public:
  explicit LabelTable(const TestSet&);
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t label) const { return names_[label]; }
  /// The number of a label of the test set.
  std::size_t number(std::string_view label) const { return numbers_.at(label); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::size_t> numbers_;  // keys point into names_
};

/// Precision (fraction of a label's predictions that are correct), recall (fraction of its references that
/// are predicted), and F1, their harmonic mean.
enum class LabelScore { precision, recall, f1 };

/// How the scores of several labels are averaged.
enum class LabelAverage {
  macro,  ///< unweighted mean over the labels of references and predictions
  micro   ///< the score of all predictions together
};

/// Precision, recall or F1 in percent; 0 / 0 counts as 0. Figures for each group of labels: numbers of
/// correct predictions, of predictions, and of references.
class LabelMetric : public Metric {
 public:
  /// Scores all labels.
  LabelMetric(std::shared_ptr<const LabelTable>, LabelScore, LabelAverage);
  /// Scores one label.
  LabelMetric(std::shared_ptr<const LabelTable>, LabelScore, std::size_t label);

  std::string name() const override;
  SignatureFields signature() const override;
  std::size_t figures() const override { return 3 * groups_; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;

 private:
  std::shared_ptr<const LabelTable> table_;
  LabelScore score_;
  std::string average_;
  std::vector<std::optional<std::size_t>> group_of_label_;
  std::size_t groups_ = 1;
};

/// The percentage of lines with the correct label.
class Accuracy : public Metric {
 public:
  std::string name() const override { return "accuracy"; }
  SignatureFields signature() const override { return {{"task", "t", "classify"}}; }
  std::size_t figures() const override { return 2; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override { return 100 * sums[0] / sums[1]; }
  double sample_score(std::span<const float> sums) const override {
    return 100 * static_cast<double>(sums[0]) / static_cast<double>(sums[1]);
  }
};

/// The names of the metrics of labels.
const std::vector<std::string>& label_metric_names();
/// The metric of this name; throws UsageError for names that are not in label_metric_names.
std::unique_ptr<Metric> make_label_metric(const std::string& name, std::shared_ptr<const LabelTable>,
                                          LabelAverage);

}  // namespace gloss
