// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "model/networks/recurrent/recurrent_decoder.h"
#include "model/networks/step_network.h"

namespace gloss {

/// The encoded source sentences and the states of the hypotheses of a recurrent encoder-decoder.
class RecurrentDecoderState : public DecoderState {
 public:
  void select(std::span<const int> rows) override;
  /// Takes over the sentences of a state that has not made a step yet.
  void append(DecoderState&) override;

  RecurrentStates memory;
  std::vector<int> starts;               ///< start of each sentence in `memory`
  std::vector<int> sentences;            ///< sentence of each row
  std::vector<int> places;               ///< number of tokens of each row
  std::vector<int> vectors;              ///< number of vectors of each row's source
  std::vector<std::vector<float>> seen;  ///< coverage of each row: sums of its weights, head by head
  std::vector<Tensor> states;            ///< per layer, padded
  Tensor found;                          ///< input feeding: the previous step's output
};

}  // namespace gloss
