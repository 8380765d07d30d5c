#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/language_model.h"
#include "model/networks/transformer_stack.h"

namespace gloss {

/// A transformer with a decoder alone, which continues text (Radford et al. 2019).
class TransformerLanguageModel : public LanguageModel {
 public:
  TransformerLanguageModel(const TransformerSettings&, const VocabularySettings&, Parameters&);

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;

  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  Tensor hidden(const PackedRows&, Random*) const override;

  TransformerSettings settings_;
  std::optional<TransformerStack> stack_;
};

}  // namespace gloss
