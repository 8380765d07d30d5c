#pragma once

#include <optional>
#include <vector>

#include "model/networks/reader.h"
#include "model/networks/transformer_stack.h"

namespace gloss {

/// A transformer with an encoder alone, which tells what stands in places of a text (Devlin et al. 2019). A
/// target row is as long as its source row and has for each place the token to be told, or -1 where none is
/// asked for.
class TransformerEncoder : public Reader {
 public:
  TransformerEncoder(const TransformerSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  /// One for each token of the target rows; 0 where none is asked for.
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  /// What is wanted of the scores of the tokens that may stand in `places`, which count all rows' tokens one
  /// behind the other. A row's scores do not depend on the other rows.
  void best_tokens(const TokenRows&, std::span<const int> places, const TopScores::Wanted&, TopScores&) const;
  int vocabulary_size() const override { return vocabulary_.target; }
  TokenId begin() const override { return vocabulary_.begin; }
  TokenId end() const override { return vocabulary_.end; }

 private:
  /// The places of target rows that ask for a token, with padding, and the tokens and their weights.
  struct Asked {
    std::vector<int> places;       // -1: padding
    std::vector<TokenId> targets;  // -1: padding
    std::vector<float> weights;    // empty: 1
    int tokens = 0;
    double weight = 0;
  };
  static Asked asked_in(const Batch&);
  /// What the output layer reads to tell the tokens of some places.
  Tensor readout(const Tensor& hidden, const std::vector<int>& places) const;

  TransformerSettings settings_;
  VocabularySettings vocabulary_;
  Tensor output_weight_;
  std::optional<TransformerStack> stack_;
  std::optional<Linear> readout_;
  std::optional<LayerNorm> readout_norm_;
};

}  // namespace gloss
