// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/language_model.h"
#include "model/networks/mixers/mixer.h"
#include "model/networks/transformer/transformer_stack.h"

namespace gloss {

/// A language model with a transformer decoder (Radford et al. 2019).
class TransformerLanguageModel : public LanguageModel {
 public:
  TransformerLanguageModel(const NetworkSizes&, const TransformerSettings&, const VocabularySettings&,
                           Parameters&);

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  bool takes_several() const override { return true; }
  bool forgets_earlier_steps() const override;

 private:
  class State;

  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  Tensor hidden(const PackedRows&, Random*) const override;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  TransformerStack stack_;
  std::vector<MixerHistory> histories_;  // of the blocks
};

}  // namespace gloss
