#pragma once

#include <span>
#include <vector>

#include "pipeline/hypothesis.h"

namespace gloss {

/// Every token that was ever live in the search of a row, each with what it continued: hypotheses share what
/// they have in common.
class Trace {
 public:
  static constexpr int kRoot = -1;  ///< before the first token

  /// `sources` positions have each row of attention; 0: none are kept.
  explicit Trace(int sources) : sources_(sources) {}

  /// The attention of a step, a row for each live hypothesis, from which the tokens added next are made.
  void begin_step(std::span<const float> attention);
  /// A token that continues `parent` and was made from row `row` of the step. `log_probability` is that of
  /// all tokens so far. Returns its node.
  int add(int parent, int row, TokenId token, double log_probability);

  /// How a hypothesis ended: after `parent`, by the end token made from row `row` of the step.
  struct End {
    int parent;
    int attention_row;
    double log_probability;
  };
  End end(int parent, int row, double log_probability) const;

  std::vector<TokenId> tokens_to(int node) const;
  /// Tokens and log-probabilities; the score is left to the caller.
  Hypothesis hypothesis(const End&) const;
  /// The attention from which each token and the end were made, row by row.
  std::vector<float> attention_to(const End&) const;
  /// The attention that each source position got in all, the step of the end included.
  std::vector<double> attention_sums(const End&) const;

 private:
  struct Node {
    int parent;
    int attention_row;
    TokenId token;
    double log_probability;
  };
  std::span<const float> attention_of(int row) const;
  /// Of the end and the tokens before it, the last first.
  std::vector<int> attention_rows(const End&) const;

  int sources_;
  int first_row_ = 0;  // of the present step, in attention_
  std::vector<Node> nodes_;
  std::vector<float> attention_;
};

}  // namespace gloss
