#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/language_model.h"
#include "model/networks/transformer.h"

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
  /// The same; `projected`, if not null, becomes each block's keys and values.
  Tensor read(const PackedRows&, const TransformerDropout&, std::vector<Tensor>* projected) const;
  Tensor normed(const Tensor& x) const { return norm_ ? (*norm_)(x) : x; }

  TransformerSettings settings_;
  std::unique_ptr<TokenEmbedding> embedding_;
  std::vector<SelfAttentionBlock> blocks_;
  std::optional<LayerNorm> norm_;  // a pre-norm stack ends with one
};

}  // namespace gloss
