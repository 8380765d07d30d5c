// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_language_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/step_rows.h"

namespace gloss {

RecurrentLanguageModel::RecurrentLanguageModel(const NetworkSizes& sizes, const RecurrentSettings& settings,
                                               const VocabularySettings& vocabulary, Parameters& parameters)
    : LanguageModel(vocabulary), sizes_(sizes), settings_(settings) {
  const std::int64_t embedding = settings.embedding_width, width = sizes.width;
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, settings.embedding_width, vocabulary);
  table_ = tables.target;
  output_ = tables.output;
  for (int i = 0; i < sizes.decoder_layers; ++i) {
    const std::string name = concat("decoder.", i);
    const int transitions = i == 0 ? settings.decoder_transitions : settings.upper_transitions;
    layers_.push_back(
        {RecurrentLayer(parameters, name, settings.cells(transitions), i == 0 ? embedding : width, width),
         LayerResult(parameters, name, settings, i == 0, width)});
  }
  readout_.emplace(parameters, "readout", NormedLinear::Widths{width, embedding},
                   xavier_uniform(width, embedding), settings.norm_of_products());
}

Tensor RecurrentLanguageModel::run_layers(const Rows& rows, std::vector<Tensor>& states,
                                          const RecurrentMasks& masks) const {
  Tensor x = embed_tokens(table_, rows.tokens, sizes_, masks.target, rows.numbers);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    states[i] = layer.cell.run(layer.cell.project(x), states[i], rows.steps);
    x = layer.result(x, layer.cell.hidden(states[i]), masks.decoder[i], rows.numbers);
  }
  return dropout(tanh((*readout_)(x)), masks.output, rows.numbers);
}

Tensor RecurrentLanguageModel::hidden(const PackedRows& rows, Random* random) const {
  std::vector<Tensor> states(layers_.size());
  return run_layers({rows.tokens, SequenceOrder(rows.starts).forwards(), mask_numbers(rows, settings_)},
                    states, RecurrentMasks(sizes_, settings_, random));
}

/// The states of the hypotheses, and the first inputs of new rows.
class RecurrentLanguageModel::State : public DecoderState {
 public:
  void select(std::span<const int> rows) override {
    std::vector<TokenId> selected;
    for (const int row : rows) selected.push_back(last.at(index(row)));
    last = std::move(selected);
    if (last.empty()) return;  // `append` adds the next rows
    std::vector<int> from(rows.begin(), rows.end());
    from.resize(padded_rows(from.size()), -1);
    for (Tensor& state : states) state = take_rows(state, from);
  }

  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
    if (last.empty()) {
      *this = std::move(more);
      return;
    }
    std::vector<int> first(last.size()), second(more.last.size());
    std::iota(first.begin(), first.end(), 0);
    std::iota(second.begin(), second.end(), static_cast<int>(first.size()));
    last.insert(last.end(), more.last.begin(), more.last.end());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Tensor pieces[] = {states[i], more.states[i]};
      states[i] = put_rows(pieces, {first, second}, static_cast<std::int64_t>(padded_rows(last.size())));
    }
  }

  std::vector<Tensor> states;  // per layer, padded
  std::vector<TokenId> last;   // last token of each row's prompt until its first step; then -1
};

std::unique_ptr<DecoderState> RecurrentLanguageModel::start(const TokenRows& source) const {
  auto state = std::make_unique<State>();
  Prompts prompts = prompts_of(source);
  state->last = std::move(prompts.last);
  // The index of each row's state after its prompt; -1: empty prompt.
  std::vector<int> ends(padded_rows(state->last.size()), -1);
  for (int row = 0; row < prompts.read.rows(); ++row) {
    const auto number = index(row);
    if (prompts.read.length(row) > 0) ends[number] = prompts.read.starts[number + 1] - 1;
  }
  const PackedRows packed(prompts.read, kDecodingRows);
  state->states.resize(layers_.size());
  if (packed.tokens.empty()) {
    const Shape nothing{static_cast<std::int64_t>(ends.size()), state_parts(settings_.cell) * sizes_.width};
    for (Tensor& one : state->states) one = Tensor::zeros(nothing, table_.working_type());
    return state;
  }
  run_layers({packed.tokens, SequenceOrder(packed.starts).forwards(), {}}, state->states,
             RecurrentMasks(sizes_, settings_, nullptr));
  for (Tensor& one : state->states) one = take_rows(one, ends);
  return state;
}

Tensor RecurrentLanguageModel::advance(std::span<const TokenId> latest, DecoderState& any,
                                       SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  expects(latest.size() == state.last.size(), "step: ", latest.size(), " tokens for ", state.last.size(),
          " rows");
  refuse(attention);
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    if (state.last[row] >= 0) tokens[row] = state.last[row];
    state.last[row] = -1;
  }
  tokens.resize(padded_rows(tokens.size()), -1);
  return run_layers({tokens, one_step(static_cast<int>(latest.size())), {}}, state.states,
                    RecurrentMasks(sizes_, settings_, nullptr));
}

}  // namespace gloss
