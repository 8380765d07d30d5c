// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/tuning_set.h"

#include <memory>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/data/text_reader.h"
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

/// The lines of one reference for each source line.
class ReferenceFile {
 public:
  explicit ReferenceFile(const std::string& path) : reader_(path) {}
  /// The next line. Throws InputError if there is none although the list has more source lines.
  std::string next(std::int64_t source_line) {
    std::string line;
    if (!reader_.next(line)) {
      throw InputError(concat(reader_.name(), " has ", reader_.line_number(),
                              " lines, but the list has translations of source line ", source_line,
                              ", counted from 0; expected a reference for each source line"));
    }
    return clean_text(line, Normalization::none).text;
  }
  void expect_end(std::int64_t source_lines) {
    std::string line;
    if (!reader_.next(line)) return;
    throw InputError(concat(reader_.name(), ":", reader_.line_number(), ": the list has only ", source_lines,
                            " source lines; expected as many references"));
  }

 private:
  TextReader reader_;
};

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

TuningSet read_tuning_set(CandidateReader& list, const std::vector<std::string>& references,
                          const Metric& metric) {
  std::vector<std::unique_ptr<ReferenceFile>> files;
  for (const std::string& path : references) files.push_back(std::make_unique<ReferenceFile>(path));
  const std::unique_ptr<Comparer> comparer = metric.comparer();
  TuningSet set;
  std::vector<std::string> of_line;
  for (Candidates candidates; list.next(candidates);) {
    const auto source_line = static_cast<std::int64_t>(set.lines.size());
    of_line.clear();
    for (const auto& file : files) of_line.push_back(file->next(source_line));
    comparer->set_references(of_line);
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
  for (const auto& file : files) file->expect_end(std::ssize(set.lines));
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
