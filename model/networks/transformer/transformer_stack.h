// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/packed_rows.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/transformer/mixer_block.h"
#include "model/networks/transformer/position_schemes.h"
#include "model/networks/transformer/token_embedding.h"

namespace gloss {

/// The only stack of blocks in a network with just an encoder (tokens see all others of their row) or just a
/// decoder (tokens see the preceding ones). Parameters encoder... or decoder...
class TransformerStack {
 public:
  /// `table`: token embeddings.
  TransformerStack(Parameters&, const NetworkSizes&, const TransformerSettings&, const Tensor& table,
                   TokenId end = -1);

  /// An encoder of items of a source that is not text.
  TransformerStack(Parameters&, const NetworkSizes&, const TransformerSettings&, const SourceParts&);

  /// Who sees more of a pass than its result; each may be null.
  struct Watch {
    std::vector<Tensor>* projected = nullptr;  ///< of each block: the projections that later rows attend to
    const LayerVisitors* weights = nullptr;
  };
  /// The last hidden states [T, width] of rows.
  Tensor operator()(const PackedRows&, const TransformerDropout&, const Watch&) const;
  Tensor operator()(const PackedRows& rows, const TransformerDropout& dropout) const {
    return (*this)(rows, dropout, {});
  }

  // Parts for step-by-step decoding.
  const TokenEmbedding& embedding() const { return *embedding_; }
  const std::vector<std::shared_ptr<const Block>>& blocks() const { return blocks_; }
  /// The positions of one pass.
  AttentionPositions positions() const { return positions_.in_attention(); }
  /// Applies the final normalisation, if any, to the result of the last block.
  Tensor end(const Tensor& x, const Tensor& embedded, const TransformerDropout& dropout) const {
    return (*end_)(x, embedded, dropout);
  }

 private:
  /// `columns`: see MixerPlace.
  void add_blocks(Parameters&, const NetworkSizes&, const TransformerSettings&, int columns = 0);

  bool causal_;
  PositionScheme positions_;
  std::unique_ptr<TokenEmbedding> embedding_;  // null if the source is not text
  std::unique_ptr<SourceEmbedding> source_;    // null if it is
  std::vector<std::shared_ptr<const Block>> blocks_;
  std::optional<StackEnd> end_;
};

}  // namespace gloss
