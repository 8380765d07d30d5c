// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/mixers/layer_scales.h"
#include "model/networks/mixers/residual.h"
#include "model/networks/packed_rows.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/transformer/mixer_block.h"
#include "model/networks/transformer/position_schemes.h"
#include "model/networks/transformer/token_embedding.h"

namespace gloss {

/// An encoder, in which tokens see all others of their row, or a decoder, in which tokens see the preceding
/// ones and may attend to the states of an encoder. Parameters encoder... or decoder.... Networks fill in the
/// parts one by one, because the order of declaration is that of the parameters in files.
struct TransformerStack {
  PositionScheme positions;
  std::unique_ptr<TokenEmbedding> tokens;   ///< null if the source is not text
  std::unique_ptr<SourceEmbedding> source;  ///< null if it is
  std::vector<std::shared_ptr<const Block>> blocks;
  std::optional<StackEnd> end;

  /// What a pass reads besides its rows, and who sees more of it than its result; each may be null.
  struct Context {
    const Tensor* states = nullptr;  ///< of an encoder, for blocks that attend to it
    const std::vector<AttentionSpan>* source_spans = nullptr;  ///< of the rows in these states
    GuidedHead* guided = nullptr;              ///< receives the attention of the last block to them
    std::vector<Tensor>* projected = nullptr;  ///< of each block: the projections that later rows attend to
    const LayerVisitors* weights = nullptr;
  };
  /// The last hidden states [T, width] of rows.
  Tensor operator()(const PackedRows&, const TransformerDropout&, const Context&) const;
  Tensor operator()(const PackedRows& rows, const TransformerDropout& dropout) const {
    return (*this)(rows, dropout, {});
  }
  /// The last hidden states, if x is the input of the first block, made of `embedded`.
  Tensor from_input(Tensor x, const Tensor& embedded, const PackedRows&, const TransformerDropout&,
                    const Context&) const;
};

/// The blocks of a stack of a network with these sizes and settings of the side. `columns`: see MixerLayer.
std::vector<std::shared_ptr<const Block>> make_blocks(Parameters&, const TransformerSide&, LayerStack,
                                                      int columns = 0);

/// The stack of a network with just an encoder or just a decoder. `table`: token embeddings.
TransformerStack only_stack(Parameters&, const NetworkSizes&, const TransformerSettings&, const Tensor& table,
                            TokenId end = -1);
/// The encoder of a network for items of a source that is not text.
TransformerStack only_stack(Parameters&, const NetworkSizes&, const TransformerSettings&, const SourceParts&);

}  // namespace gloss
