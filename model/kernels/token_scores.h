// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// Operands of kernels over rows of logits, one logit for each token of the vocabulary.

namespace gloss {

/// Softmax cross-entropy with label smoothing over rows of logits.
template <class Number>
struct CrossEntropyRows {
  float* logits;                ///< [rows, vocabulary]; overwritten
  Number* gradient;             ///< [rows, vocabulary]: written; may be `logits`; null: not requested
  const std::int32_t* targets;  ///< [rows]; -1: no loss for this row
  const float* weights;         ///< [rows]: weight of each row's loss; null: all 1
  std::int64_t rows, vocabulary;
  float label_smoothing;
  float r_drop = 0;          ///< of paired rows
  double* loss;              ///< adds the sum of weighted losses with label smoothing
  double* cross_entropy;     ///< adds the sum of weighted losses without label smoothing
  float* log_probabilities;  ///< [rows]: of the targets, unweighted; null: not requested
};

/// A candidate for the next token, with its score from the network.
struct ScoredToken {
  std::int32_t token;
  float score;
};

/// Scores are computed and searched in panels of this many tokens, which fit in the processor's cache.
constexpr std::int64_t kScorePanel = 2048;

/// The best tokens among the panels of a row seen so far.
struct TopTokens {
  ScoredToken* best;    ///< room for `wanted`
  std::int64_t wanted;  ///< at least 1
  std::int64_t kept;    ///< filled entries of `best`
  float largest;        ///< largest score seen; -infinity at first
  double exps;          ///< sum of exp(score - largest)
};

}  // namespace gloss
