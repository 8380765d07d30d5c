// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "base/index.h"
#include "pipeline/search/hypothesis.h"

namespace gloss {

/// The tree of all tokens that the search of a row has visited. Each node points to its parent, so that
/// hypotheses share their common prefixes.
class Trace {
 public:
  static constexpr int kRoot = -1;  ///< before the first token

  /// `sources` is the number of source positions per row of attention; 0: attention is not kept.
  explicit Trace(int sources) : sources_(sources) {}

  /// Stores the attention [live hypotheses, sources] of the step that predicts the tokens added next.
  void begin_step(std::span<const float> attention);
  /// Adds a token that continues `parent` and was predicted from row `row` of the step. `log_probability` is
  /// that of all tokens so far. Returns the token's node.
  int add(int parent, int row, TokenId token, double log_probability);

  /// The end of a hypothesis after `parent`, with the end token predicted from row `row` of the step.
  struct End {
    int parent;
    int attention_row;
    double log_probability;
  };
  End end(int parent, int row, double log_probability) const;

  int parent(int node) const { return nodes_[index(node)].parent; }
  /// The log-probability of the tokens up to `node`.
  double log_probability(int node) const { return nodes_[index(node)].log_probability; }
  /// The attention of row `row` of the present step; empty if attention is not kept.
  std::span<const float> attention_now(int row) const { return attention_of(first_row_ + row); }
  /// The attention when the token of `node` was predicted; empty if attention is not kept.
  std::span<const float> attention_at(int node) const {
    return attention_of(nodes_[index(node)].attention_row);
  }
  std::vector<TokenId> tokens_to(int node) const;
  /// The hypothesis with tokens and log-probabilities; the caller sets the score.
  Hypothesis hypothesis(const End&) const;
  /// The attention when each token and the end token were predicted: [tokens + 1, sources].
  std::vector<float> attention_to(const End&) const;
  /// The total attention to each source position, including the step of the end token.
  std::vector<double> attention_sums(const End&) const;

 private:
  struct Node {
    int parent;
    int attention_row;
    TokenId token;
    double log_probability;
  };
  std::span<const float> attention_of(int row) const;
  /// Rows of the end token and the tokens before it, the last first.
  std::vector<int> attention_rows(const End&) const;

  int sources_;
  int first_row_ = 0;  // of the current step, in attention_
  std::vector<Node> nodes_;
  std::vector<float> attention_;
};

}  // namespace gloss
