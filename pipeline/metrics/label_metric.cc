// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/label_metric.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/lines.h"
#include "base/shown.h"
#include "pipeline/metrics/metric_table.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

// Limits memory: each line has three figures per label. Files with more different labels are probably text.
constexpr std::size_t kMostLabels = 1000;

std::string label_of(const std::string& line, const std::string& file, std::size_t number) {
  const std::string_view label = trim(std::string_view(line).substr(0, line.find('\t')));
  if (label.empty()) {
    throw InputError(
        concat(file, ", line ", number,
               " has no label; expected a label at the start of each line, up to the first tab"));
  }
  return std::string(label);
}

using Names = std::set<std::string_view>;

void check_count(const Names& labels, const std::string& file) {
  if (labels.size() <= kMostLabels) return;
  throw InputError(concat(file, " has ", labels.size(), " different labels, such as ", shown(*labels.begin()),
                          "; expected at most ", kMostLabels,
                          "; write a label at the start of each line and a tab before other text"));
}

/// Warns about labels that no reference has; throws InputError if all predictions have such labels.
void check_predictions(const std::vector<std::string>& predictions, const std::string& file,
                       const Names& references, const std::string& reference_file, Listener& listener) {
  Names strange, known;
  std::size_t first = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (references.contains(predictions[i])) {
      known.insert(predictions[i]);
    } else {
      if (strange.empty()) first = i;
      strange.insert(predictions[i]);
    }
  }
  if (strange.empty()) return;
  const std::string& example = predictions[first];
  if (known.empty()) {
    throw InputError(concat(file, " and ", reference_file, " have no label in common (such as ",
                            shown(example), " and ", shown(*references.begin()),
                            "); expected labels of the same text"));
  }
  listener.warn(concat(file, ", line ", first + 1, ": no reference has the label ", shown(example),
                       strange.size() == 1 ? "" : concat(" (nor ", strange.size() - 1, " other labels)"),
                       "; it counts as wrong"));
}

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// The score of a group from its figures.
template <class Number>
double group_score(LabelScore score, std::span<const Number> figures) {
  const auto right = static_cast<double>(figures[0]);
  const auto predicted = static_cast<double>(figures[1]), expected = static_cast<double>(figures[2]);
  if (score == LabelScore::precision) return share(right, predicted);
  if (score == LabelScore::recall) return share(right, expected);
  return share(2 * right, predicted + expected);
}

/// The mean over groups that occur in references or predictions.
template <class Number>
double mean_score(LabelScore score, std::span<const Number> sums) {
  double total = 0;
  int groups = 0;
  for (std::size_t at = 0; at < sums.size(); at += 3) {
    if (sums[at + 1] + sums[at + 2] == 0) continue;
    total += group_score(score, sums.subspan(at, 3));
    ++groups;
  }
  return groups == 0 ? 0 : total / groups;
}

class LabelComparer : public Comparer {
 public:
  LabelComparer(const LabelTable& table, const std::vector<std::optional<std::size_t>>& group_of_label)
      : table_(table), group_of_label_(group_of_label) {}
  void set_references(std::span<const std::string> references) override {
    reference_ = table_.number(references[0]);
  }
  void compare(std::string_view hypothesis, std::span<double> figures) override {
    std::ranges::fill(figures, 0);
    const std::size_t predicted = table_.number(hypothesis);
    const auto group = group_of_label_[predicted], expected = group_of_label_[reference_];
    if (group && predicted == reference_) figures[3 * *group] = 1;
    if (group) figures[3 * *group + 1] = 1;
    if (expected) figures[3 * *expected + 2] = 1;
  }

 private:
  const LabelTable& table_;
  const std::vector<std::optional<std::size_t>>& group_of_label_;
  std::size_t reference_ = 0;
};

class AccuracyComparer : public Comparer {
 public:
  void set_references(std::span<const std::string> references) override { reference_ = references[0]; }
  void compare(std::string_view hypothesis, std::span<double> figures) override {
    figures[0] = hypothesis == reference_ ? 1 : 0;
    figures[1] = 1;
  }

 private:
  std::string_view reference_;
};

}  // namespace

TestSet read_labels(const TestSetFiles& files, Listener& listener) {
  TestSet test = read_answers(files, listener);
  const std::string reference_file = input_name(files.references[0]);
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    test.references[i][0] = label_of(test.references[i][0], reference_file, i + 1);
  }
  Names references;
  for (const auto& line : test.references) references.insert(line[0]);
  check_count(references, reference_file);
  if (references.size() == 1) {
    listener.warn(concat("every line of ", reference_file, " has the label ", shown(*references.begin()),
                         ", so predicting it always scores 100"));
  }
  for (std::size_t system = 0; system < test.systems.size(); ++system) {
    const std::string& file = test.names[system];
    std::vector<std::string>& lines = test.systems[system];
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = label_of(lines[i], file, i + 1);
    check_count(Names(lines.begin(), lines.end()), file);
    check_predictions(lines, file, references, reference_file, listener);
  }
  return test;
}

LabelTable::LabelTable(const TestSet& test) {
  std::set<std::string> names;
  for (const auto& line : test.references) names.insert(line[0]);
  for (const auto& lines : test.systems) names.insert(lines.begin(), lines.end());
  names_.assign(names.begin(), names.end());
  for (std::size_t label = 0; label < names_.size(); ++label) numbers_.emplace(names_[label], label);
}

LabelMetric::LabelMetric(std::shared_ptr<const LabelTable> table, LabelScore score, LabelAverage average)
    : table_(std::move(table)),
      score_(score),
      average_(average == LabelAverage::macro ? "macro" : "micro"),
      group_of_label_(table_->size(), 0) {
  if (average == LabelAverage::micro) return;
  groups_ = table_->size();
  for (std::size_t label = 0; label < groups_; ++label) group_of_label_[label] = label;
}

LabelMetric::LabelMetric(std::shared_ptr<const LabelTable> table, LabelScore score, std::size_t label)
    : table_(std::move(table)), score_(score), average_("no"), group_of_label_(table_->size()) {
  group_of_label_[label] = 0;
}

std::string LabelMetric::name() const {
  if (score_ == LabelScore::precision) return "precision";
  return score_ == LabelScore::recall ? "recall" : "F1";
}

SignatureFields LabelMetric::signature() const {
  return {{"task", "t", "classify"}, {"average", "avg", average_}};
}

std::unique_ptr<Comparer> LabelMetric::comparer() const {
  return std::make_unique<LabelComparer>(*table_, group_of_label_);
}

double LabelMetric::score(std::span<const double> sums) const { return mean_score(score_, sums); }

double LabelMetric::sample_score(std::span<const float> sums) const { return mean_score(score_, sums); }

std::unique_ptr<Comparer> Accuracy::comparer() const { return std::make_unique<AccuracyComparer>(); }

namespace {

using MadeOfLabels = MetricKind<std::shared_ptr<const LabelTable>, LabelAverage>;

template <LabelScore score>
std::unique_ptr<Metric> of_labels(std::shared_ptr<const LabelTable> table, LabelAverage average) {
  return std::make_unique<LabelMetric>(std::move(table), score, average);
}

std::unique_ptr<Metric> accuracy(std::shared_ptr<const LabelTable>, LabelAverage) {
  return std::make_unique<Accuracy>();
}

constexpr auto kLabelMetrics = std::to_array<MadeOfLabels>({{"accuracy", accuracy},
                                                            {"precision", of_labels<LabelScore::precision>},
                                                            {"recall", of_labels<LabelScore::recall>},
                                                            {"f1", of_labels<LabelScore::f1>}});

}  // namespace

const std::vector<std::string>& label_metric_names() {
  static const std::vector<std::string> names = names_of(kLabelMetrics);
  return names;
}

std::unique_ptr<Metric> make_label_metric(const std::string& name, std::shared_ptr<const LabelTable> table,
                                          LabelAverage average) {
  return kind_named(kLabelMetrics, name).make(std::move(table), average);
}

}  // namespace gloss
