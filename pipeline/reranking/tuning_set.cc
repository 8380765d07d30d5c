// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/tuning_set.h"

#include <memory>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// The features of an entry. Errors name its line.
Features features_of(const NBestEntry& entry, const std::string& place) {
  try {
    return parse_features(entry.features);
  } catch (const InputError& error) {
    throw InputError(concat(place, ": ", error.what()));
  }
}

/// The numbers of the features in the order of `names`, which it fills first. `place` is for messages.
std::vector<double> numbers_of(const Features& features, std::vector<std::string>& names,
                               const std::string& place) {
  if (names.empty()) {
    for (const auto& [name, number] : features) names.push_back(name);
    if (names.empty()) throw InputError(concat(place, ": found no features, expected NAME= NUMBER"));
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::string expected = i < names.size() ? names[i] : "none";
    if (features[i].first != expected) {
      throw InputError(concat(place, ": found the feature ", features[i].first, ", expected ", expected,
                              " as in the first line"));
    }
    numbers.push_back(features[i].second);
  }
  if (numbers.size() < names.size()) {
    throw InputError(concat(place, ": the feature ", names[numbers.size()], " is missing"));
  }
  return numbers;
}

}  // namespace

TuningSet read_tuning_set(CandidateReader& list, const ReferenceLines& references, const Metric& metric) {
  const std::unique_ptr<Comparer> comparer = metric.comparer();
  TuningSet set;
  for (Candidates candidates; list.next(candidates);) {
    comparer->set_references(references.of(std::ssize(set.lines)));
    set.lines.emplace_back();
    for (std::size_t i = 0; i < candidates.entries.size(); ++i) {
      const NBestEntry& entry = candidates.entries[i];
      const std::string place = list.line_place(candidates.first_line + static_cast<std::int64_t>(i));
      TunedCandidate& made = set.lines.back().emplace_back();
      made.features = numbers_of(features_of(entry, place), set.names, place);
      made.figures.resize(metric.figures());
      comparer->compare(clean_text(entry.text, Normalization::none).text, made.figures);
    }
  }
  if (set.lines.empty()) throw InputError(concat(list.line_place(1), ": the n-best list is empty"));
  references.expect_lines(std::ssize(set.lines));
  return set;
}

std::vector<double> weighted_sums(const Candidates& candidates, const FeatureWeights& weights,
                                  const CandidateReader& list) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < candidates.entries.size(); ++i) {
    const std::string place = list.line_place(candidates.first_line + static_cast<std::int64_t>(i));
    const Features features = features_of(candidates.entries[i], place);
    try {
      sums.push_back(weighted_sum(features, weights));
    } catch (const InputError& error) {
      throw InputError(concat(place, ": ", error.what()));
    }
  }
  return sums;
}

}  // namespace gloss
