#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/transformer.h"

namespace gloss {

/// The one stack of blocks of a network that has an encoder alone, whose tokens see all others of their row,
/// or a decoder alone, whose tokens see those before: of the parameters encoder... or decoder...
class TransformerStack {
 public:
  /// `table`: the embeddings of tokens.
  TransformerStack(Parameters&, const TransformerSettings&, const Tensor& table);

  /// The last hidden states [T, width] of rows. `projected`, if not null, becomes what later rows see of
  /// them, of each block.
  Tensor operator()(const PackedRows&, const TransformerDropout&,
                    std::vector<Tensor>* projected = nullptr) const;

  // Its parts, for those who go token by token.
  const TokenEmbedding& embedding() const { return *embedding_; }
  const std::vector<SelfAttentionBlock>& blocks() const { return blocks_; }
  /// What comes behind the last block.
  Tensor normed(const Tensor& x) const { return norm_ ? (*norm_)(x) : x; }

 private:
  bool causal_;
  std::unique_ptr<TokenEmbedding> embedding_;
  std::vector<SelfAttentionBlock> blocks_;
  std::optional<LayerNorm> norm_;  // a pre-norm stack ends with one
};

}  // namespace gloss
