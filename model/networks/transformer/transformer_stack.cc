// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer_stack.h"

#include <utility>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

Tensor TransformerStack::operator()(const PackedRows& rows, const TransformerDropout& dropout,
                                    const Context& context) const {
  const Tensor x = source ? (*source)(rows, dropout.embedding())
                          : (*tokens)(rows.tokens, rows.places, dropout.embedding());
  return from_input(x, x, rows, dropout, context);
}

Tensor TransformerStack::from_input(Tensor x, const Tensor& embedded, const PackedRows& rows,
                                    const TransformerDropout& dropout, const Context& context) const {
  const std::vector<AttentionSpan> spans = rows.spans_to(rows);
  const AttentionPositions in_attention = positions.in_attention();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SelfAttentionView view{
        .positions = &in_attention,
        .places = &rows.places,
        .spans = &spans,
        .projected = context.projected != nullptr ? &(*context.projected)[i] : nullptr,
        .weights = visitor_of(context.weights, i)};
    SourceView seen;
    if (context.states != nullptr)
      seen.keys_values = {blocks[i]->project_source(*context.states), context.source_spans, nullptr};
    if (i + 1 == blocks.size()) seen.guided = context.guided;
    x = (*blocks[i])(x, view, seen, dropout);
  }
  return (*end)(x, embedded, dropout);
}

std::vector<std::shared_ptr<const Block>> make_blocks(Parameters& parameters, const TransformerSide& side,
                                                      LayerStack stack, int columns) {
  const auto& [sizes, settings] = side;
  const bool causal =
      stack == LayerStack::decoder || (stack == LayerStack::only && sizes.encoder_layers == 0);
  const LayerScales scales = layer_scales(sizes, settings, stack);
  const std::vector<int> shared = causal
                                      ? shared_layers(settings.decoder_layer_weights, sizes.decoder_layers)
                                      : shared_layers(settings.encoder_layer_weights, sizes.encoder_layers);
  std::vector<std::shared_ptr<const Block>> blocks;
  for (int i = 0; i < static_cast<int>(shared.size()); ++i) {
    const int of = shared[index(i)];  // the layer with its weights
    blocks.push_back(of < i ? blocks[index(of)]
                            : make_block(parameters, concat(causal ? "decoder." : "encoder.", i),
                                         {.sizes = sizes,
                                          .settings = settings,
                                          .layer = i,
                                          .causal = causal,
                                          .scales = scales,
                                          .columns = columns,
                                          .reads_source = stack == LayerStack::decoder &&
                                                          settings.source_link == SourceLink::attention}));
  }
  return blocks;
}

TransformerStack only_stack(Parameters& parameters, const NetworkSizes& sizes,
                            const TransformerSettings& settings, const Tensor& table, TokenId end) {
  const bool causal = sizes.encoder_layers == 0;
  const std::string name = causal ? "decoder" : "encoder";
  const PositionSchemes schemes = declare_positions(parameters, sizes, settings);
  TransformerStack stack;
  stack.positions = causal ? schemes.decoder : schemes.encoder;
  stack.tokens = std::make_unique<TokenEmbedding>(
      parameters, name, sizes, settings, TokenEmbedding::Tables{table, stack.positions.embeddings, end});
  stack.blocks = make_blocks(parameters, {sizes, settings}, LayerStack::only);
  stack.end.emplace(parameters, name, sizes, settings);
  return stack;
}

TransformerStack only_stack(Parameters& parameters, const NetworkSizes& sizes,
                            const TransformerSettings& settings, const SourceParts& source) {
  TransformerStack stack;
  stack.source = make_source_embedding(parameters, source);
  if (within_attention(settings.positions)) {
    const GridSize grid = grid_of_vectors(source.source, source.max_positions);
    stack.positions = declare_positions(parameters, sizes, settings, grid).encoder;
  }
  stack.blocks = make_blocks(parameters, {sizes, settings}, LayerStack::only, grid_columns(source.source));
  stack.end.emplace(parameters, "encoder", sizes, settings);
  return stack;
}

}  // namespace gloss
