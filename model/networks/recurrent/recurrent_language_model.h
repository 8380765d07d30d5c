// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/layers/normed_linear.h"
#include "model/layers/recurrent_layer.h"
#include "model/networks/language_model.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/recurrent/layer_result.h"
#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

/// A recurrent language model (Mikolov et al. 2010).
class RecurrentLanguageModel : public LanguageModel {
 public:
  RecurrentLanguageModel(const NetworkSizes&, const RecurrentSettings&, const VocabularySettings&,
                         Parameters&);

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;
  /// Rows to run the layers on, their order, and their numbers for dropout.
  struct Rows {
    std::span<const TokenId> tokens;
    std::shared_ptr<const RecurrentSteps> steps;
    std::vector<int> numbers;
  };

  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  Tensor hidden(const PackedRows&, Random*) const override;
  /// The input of the output layer. Replaces the states of the layers (empty: zeros) by those after each row.
  Tensor run_layers(const Rows&, std::vector<Tensor>& states, const RecurrentMasks&) const;

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor table_;
  struct Layer {
    RecurrentLayer cell;
    LayerResult result;
  };
  std::vector<Layer> layers_;
  std::optional<NormedLinear> readout_;
};

}  // namespace gloss
