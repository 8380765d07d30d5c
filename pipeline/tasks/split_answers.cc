// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/split_answers.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace gloss {
namespace {

/// The weight of a part in a mean: the tokens that the model has read.
double weight_of(const LineReport& part) { return part.read_tokens - part.left_out; }

/// The parts of a line that have a weight, and the sum of the weights. A line of one such part has its answer
/// without rounding.
template <class Answer>
struct WeightedParts {
  explicit WeightedParts(std::span<const Answer> parts) {
    for (const Answer& part : parts) {
      if (weight_of(part) > 0) all.push_back(&part);
      sum += weight_of(part);
    }
  }
  double share(const Answer& part) const { return all.size() == 1 ? 1 : weight_of(part) / sum; }
  std::vector<const Answer*> all{};
  double sum = 0;
};

/// One answer for each line, made of those to its parts by `join`, which receives the answer with its report.
template <class Answer>
std::vector<Answer> joined(const SplitLines& split, const std::vector<Answer>& parts,
                           const std::function<void(std::span<const Answer>, Answer&)>& join) {
  std::vector<Answer> results(split.ends.size());
  for (std::size_t line = 0; line < results.size(); ++line) {
    const auto of_line = std::span(parts).subspan(split.begin(line), split.ends[line] - split.begin(line));
    results[line].empty = true;
    for (const Answer& part : of_line) {
      results[line].add(part);
      results[line].empty = results[line].empty && part.empty;
    }
    join(of_line, results[line]);
  }
  return results;
}

}  // namespace

std::vector<EmbeddedLine> embed_split(const Embedder& embedder, const LineSplitter& splitter,
                                      std::span<const std::string> lines,
                                      const std::function<void(int lines)>& finished) {
  const SplitLines split(splitter, lines);
  const auto join = [](std::span<const EmbeddedLine> parts, EmbeddedLine& line) {
    const WeightedParts<EmbeddedLine> weighted(parts);
    std::vector<double> mean;
    for (const EmbeddedLine* part : weighted.all) {
      mean.resize(part->vector.size());
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += weighted.share(*part) * static_cast<double>(part->vector[i]);
      }
    }
    for (const double value : mean) line.vector.push_back(static_cast<float>(value));
  };
  return joined<EmbeddedLine>(split, embedder.embed(split.texts, progress_of(split, finished)), join);
}

std::vector<ClassifiedLine> classify_split(const Classifier& classifier, const LineSplitter& splitter,
                                           std::span<const std::string> lines,
                                           const std::function<void(int lines)>& finished) {
  const SplitLines split(splitter, lines);
  const auto join = [](std::span<const ClassifiedLine> parts, ClassifiedLine& line) {
    const WeightedParts<ClassifiedLine> weighted(parts);
    std::unordered_map<std::string_view, std::size_t> places;  // of the labels
    for (const ClassifiedLine* part : weighted.all) {
      const double share = weighted.share(*part);
      for (const auto& [label, probability] : part->labels) {
        const auto [place, added] = places.try_emplace(label, line.labels.size());
        if (added) line.labels.push_back({label, 0});
        line.labels[place->second].probability += share * probability;
      }
      for (const auto& [word, attention] : part->words) line.words.push_back({word, share * attention});
    }
    std::ranges::stable_sort(line.labels, std::ranges::greater(), &LabelProbability::probability);
  };
  std::vector<ClassifiedLine> results =
      joined<ClassifiedLine>(split, classifier.classify(split.texts, progress_of(split, finished)), join);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (lines[line].find('\t') == std::string::npos) continue;
    results[line].problem = "found two texts with a tab between them; --split is for lines of one text";
  }
  return results;
}

std::vector<ScoredPair> score_split(const Scorer& scorer, const LineSplitter& splitter,
                                    std::span<const SentencePair> lines,
                                    const std::function<void(int lines)>& finished) {
  std::vector<std::string> texts;
  for (const SentencePair& line : lines) texts.push_back(line.target);
  const SplitLines split(splitter, texts);
  std::vector<SentencePair> sentences;
  for (const std::string& text : split.texts) sentences.push_back({"", text});
  const auto join = [](std::span<const ScoredPair> parts, ScoredPair& line) {
    for (const ScoredPair& part : parts) {
      line.score += part.score;
      line.log_probability += part.log_probability;
      line.tokens += part.tokens;
      line.characters += part.characters;
    }
  };
  return joined<ScoredPair>(split, scorer.score(sentences, progress_of(split, finished)), join);
}

}  // namespace gloss
