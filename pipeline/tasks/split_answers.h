// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/tasks/classifier.h"
#include "pipeline/tasks/embedder.h"
#include "pipeline/tasks/scorer.h"
#include "pipeline/translation/split_lines.h"

namespace gloss {

// Answers to lines of several sentences that a model gets one by one. One result per line, in their order; a
// result depends on the line alone.

/// The mean of the vectors of a line's sentences, each weighted by the number of its tokens.
std::vector<EmbeddedLine> embed_split(const Embedder&, const LineSplitter&,
                                      std::span<const std::string> lines,
                                      const std::function<void(int lines)>& finished);

/// The mean of the probabilities of each label over a line's sentences, weighted by the number of their
/// tokens; the attention on words has the same weights. A line of two texts has a problem.
std::vector<ClassifiedLine> classify_split(const Classifier&, const LineSplitter&,
                                           std::span<const std::string> lines,
                                           const std::function<void(int lines)>& finished);

/// The sums over a line's sentences, of which each is the text after the end of another line; for language
/// models.
std::vector<ScoredPair> score_split(const Scorer&, const LineSplitter&, std::span<const SentencePair> lines,
                                    const std::function<void(int lines)>& finished);

}  // namespace gloss
