// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer_stack.h"

#include "base/error.h"

namespace gloss {

TransformerStack::TransformerStack(Parameters& parameters, const NetworkSizes& sizes,
                                   const TransformerSettings& settings, const Tensor& table, TokenId end)
    : causal_(sizes.encoder_layers == 0) {
  const PositionSchemes schemes = declare_positions(parameters, sizes, settings);
  positions_ = causal_ ? schemes.decoder : schemes.encoder;
  const std::string name = causal_ ? "decoder" : "encoder";
  embedding_ = std::make_unique<TokenEmbedding>(parameters, name, sizes, settings,
                                                TokenEmbedding::Tables{table, positions_.embeddings, end});
  add_blocks(parameters, sizes, settings);
}

TransformerStack::TransformerStack(Parameters& parameters, const NetworkSizes& sizes,
                                   const TransformerSettings& settings, const SourceParts& source)
    : causal_(false), source_(make_source_embedding(parameters, source)) {
  if (within_attention(settings.positions)) {
    const GridSize grid = grid_of_vectors(source.source, source.max_positions);
    positions_ = declare_positions(parameters, sizes, settings, grid).encoder;
  }
  add_blocks(parameters, sizes, settings, grid_columns(source.source));
}

void TransformerStack::add_blocks(Parameters& parameters, const NetworkSizes& sizes,
                                  const TransformerSettings& settings, int columns) {
  const std::string name = causal_ ? "decoder" : "encoder";
  const int layers = causal_ ? sizes.decoder_layers : sizes.encoder_layers;
  const LayerScales scales = layer_scales(sizes, settings, LayerStack::only);
  const auto& weights = causal_ ? settings.decoder_layer_weights : settings.encoder_layer_weights;
  add_layers(blocks_, shared_layers(weights, layers), [&](int i) {
    return make_block(parameters, concat(name, ".", i), {sizes, settings, i, causal_, scales, columns});
  });
  end_.emplace(parameters, name, sizes, settings);
}

Tensor TransformerStack::operator()(const PackedRows& rows, const TransformerDropout& dropout,
                                    const Watch& watch) const {
  const std::vector<AttentionSpan> spans = rows.spans_to(rows);
  const AttentionPositions positions = this->positions();
  const Tensor embedded = source_ ? (*source_)(rows, dropout.embedding())
                                  : (*embedding_)(rows.tokens, rows.places, dropout.embedding());
  Tensor x = embedded;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const SelfAttentionView view{.positions = &positions,
                                 .places = &rows.places,
                                 .spans = &spans,
                                 .projected = watch.projected != nullptr ? &(*watch.projected)[i] : nullptr,
                                 .weights = visitor_of(watch.weights, i)};
    x = (*blocks_[i])(x, view, dropout);
  }
  return end(x, embedded, dropout);
}

}  // namespace gloss
