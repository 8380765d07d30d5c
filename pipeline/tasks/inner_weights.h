// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "model/networks/network.h"

namespace gloss {

/// How the layers of one side of a network mix the tokens of texts.
class InnerWeights {
 public:
  /// The encoder's layers, or the decoder's. Throws UsageError, naming the mixers, if no layer sums tokens
  /// with weights, or if the network has no such layers. The network must outlive this object.
  InnerWeights(const Network&, bool of_decoder);

  bool of_decoder() const { return of_decoder_; }
  const std::vector<MixingNetwork::Layer>& layers() const { return layers_; }
  /// Per layer.
  int heads() const { return layers_.front().heads; }
  /// For each row of the side the weights [layers, heads, tokens, tokens] of its tokens (columns) in the
  /// results of each token (rows); zeros in layers without weights. The decoder's columns are the begin token
  /// and all tokens but the last, from which it predicts those of the rows.
  std::vector<std::vector<float>> of_rows(const Batch&) const;

 private:
  const MixingNetwork& network_;
  bool of_decoder_;
  std::vector<MixingNetwork::Layer> layers_;
};

}  // namespace gloss
