#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/language_model.h"
#include "model/networks/recurrent_parts.h"

namespace gloss {

/// Recurrent layers that continue text (Mikolov et al. 2010).
class RecurrentLanguageModel : public LanguageModel {
 public:
  RecurrentLanguageModel(const NetworkSizes&, const RecurrentSettings&, const VocabularySettings&,
                         Parameters&);

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;
  /// Rows that layers go over, in which order, and what dropout numbers them by.
  struct Rows {
    std::span<const TokenId> tokens;
    std::shared_ptr<const RecurrentSteps> steps;
    std::vector<int> numbers;
  };

  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  Tensor hidden(const PackedRows&, Random*) const override;
  /// What the vocabulary's scores are made of. The states of the layers (none: zeros) become those after each
  /// row.
  Tensor run_layers(const Rows&, std::vector<Tensor>& states, const RecurrentMasks&) const;

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor table_;
  struct Layer {
    RecurrentLayer cell;
    LayerResult result;
  };
  std::vector<Layer> layers_;
  std::optional<Linear> readout_;
};

}  // namespace gloss
