#pragma once

#include <string>
#include <vector>

#include "pipeline/line_answers.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How lines are classified.
struct ClassificationSettings {
  bool explain = false;  ///< tells how much attention words got
  SearchBatchSettings batches;
};

/// A label and how probable the model finds it.
struct LabelProbability {
  std::string label;
  double probability = 0;
};

/// A word and its share of the attention.
struct WordAttention {
  std::string word;
  double attention = 0;
};

/// What became of a line.
struct ClassifiedLine : LineRead {
  std::vector<LabelProbability> labels;  ///< all, the most probable first; none of a blank line
  std::vector<WordAttention> words;      ///< in order, if they are wanted
};

/// Tells the labels of lines: of a text, or of two with a tab between, as the model learned it. What becomes
/// of a line depends on nothing but the line.
class Classifier {
 public:
  /// The model must be a classifier and live longer.
  Classifier(const TextModel&, const ClassificationSettings&, int threads);

  /// As many results as lines, in their order.
  std::vector<ClassifiedLine> classify(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  std::vector<TokenId> prepare(const std::string& line, ClassifiedLine&) const;
  void tell(const ReadTogether&, std::span<ClassifiedLine> results) const;
  std::vector<WordAttention> words_of(std::span<const TokenId> row, std::span<const float> attention) const;

  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
};

}  // namespace gloss
