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

/// Reads labels, one in each line, up to its first tab, so that labelled text and what a classifier writes
/// can be given as they are. Throws InputError for a line without a label, for systems of which no label is
/// one of the references', and for more labels than a classification has; warns of labels that no reference
/// has, which are wrong wherever they stand, and of references that are all alike.
TestSet read_labels(const TestSetFiles&, Listener&);

/// All labels of a test set in the order of their bytes; a label's number is its place.
class LabelTable {
 public:
  explicit LabelTable(const TestSet&);
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t label) const { return names_[label]; }
  /// The number of a label of the test set.
  std::size_t number(std::string_view label) const { return numbers_.at(label); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::size_t> numbers_;  // into names_
};

/// What is asked of labels: how many of those predicted are right, how many of those to be found are found,
/// and the harmonic mean of both.
enum class LabelScore { precision, recall, f1 };

/// How the scores of several labels become one.
enum class LabelAverage {
  macro,  ///< the mean over labels that references or predictions have, each counting alike
  micro   ///< the score of all predictions together, each counting alike
};

/// Precision, recall or F1, in percent; a share of nothing is 0. Its figures: of each group of labels, how
/// many predictions are right, how many there are, and how many there should be.
class LabelMetric : public Metric {
 public:
  /// Of all labels.
  LabelMetric(std::shared_ptr<const LabelTable>, LabelScore, LabelAverage);
  /// Of one label.
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

/// The share of lines, in percent, whose label is right.
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

/// The metric called "accuracy", "precision", "recall" or "f1"; throws UsageError naming those that there
/// are.
std::unique_ptr<Metric> make_label_metric(const std::string& name, std::shared_ptr<const LabelTable>,
                                          LabelAverage);

}  // namespace gloss
