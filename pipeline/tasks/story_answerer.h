// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/story_encoding.h"
#include "pipeline/tasks/classifier.h"

namespace gloss {

/// An answer to a question about a story.
struct StoryAnswer : LineReport {
  std::vector<LabelProbability> answers;  ///< all answers, the most probable first; none for a blank line
  std::string question;
  std::vector<std::string> sentences;  ///< of the story
  /// [hops, sentences], if `explain` is set: the weight of each sentence in each hop; 0 for sentences that
  /// the memory has no room for or that have no words.
  std::vector<float> weights;

  int hops() const { return sentences.empty() ? 0 : static_cast<int>(weights.size() / sentences.size()); }
  /// The weight of a sentence in a hop, both counted from 0.
  double weight(int hop, int sentence) const {
    return static_cast<double>(weights[index(hop) * sentences.size() + index(sentence)]);
  }
};

/// Answers questions about stories. An answer depends on its question and story alone.
class StoryAnswerer {
 public:
  /// The model, a classifier, must outlive this object. Throws UsageError if it was not trained with stories,
  /// or if `explain` is set but its network does not read sentence by sentence.
  StoryAnswerer(const TextModel&, const ClassificationSettings&, int threads);

  /// One result for each text 'story TAB question' (StoryReader), in their order.
  std::vector<StoryAnswer> answer(
      std::span<const std::string> texts, const std::function<void(int texts)>& finished = [](int) {}) const;

 private:
  void take_results(const ReadTogether&, std::span<const StoryRow>, std::span<StoryAnswer>) const;

  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
  StoryRows rows_;
};

}  // namespace gloss
