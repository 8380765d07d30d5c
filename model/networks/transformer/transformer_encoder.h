// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/layers/linear.h"
#include "model/networks/network_settings.h"
#include "model/networks/reader.h"
#include "model/networks/transformer/transformer_stack.h"

namespace gloss {

/// A masked model: a transformer encoder that predicts tokens at some positions of a text (Devlin et al.
/// 2019). A target row is as long as its source row and holds, at each position, the token to predict or -1.
class TransformerEncoder : public Reader, public TokenPredictor {
 public:
  TransformerEncoder(const NetworkSizes&, const TransformerSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  /// One value for each token of the target rows; 0 for target -1.
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  const TokenPredictor* token_predictor() const override { return this; }
  void best_tokens(const TokenRows&, std::span<const int> places, const TopScores::Wanted&,
                   TopScores&) const override;
  int vocabulary_size() const override { return vocabulary_.target; }
  TokenId begin() const override { return vocabulary_.begin; }
  TokenId end() const override { return vocabulary_.end; }

 private:
  /// The positions of the tokens to predict, padded, and the tokens and their weights.
  struct Asked {
    std::vector<int> places;       // -1: padding
    std::vector<TokenId> targets;  // -1: padding
    std::vector<float> weights;    // empty: 1
    int tokens = 0;
    double weight = 0;
  };
  static Asked asked_in(const Batch&);
  /// The input of the output layer for these positions.
  Tensor readout(const Tensor& hidden, const std::vector<int>& places) const;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  VocabularySettings vocabulary_;
  OutputLayer output_;
  TransformerStack stack_;
  std::optional<Linear> readout_;
  std::optional<Norm> readout_norm_;
};

}  // namespace gloss
