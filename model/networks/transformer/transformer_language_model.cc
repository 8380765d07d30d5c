// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer_language_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/layer_histories.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/mixers/mixers.h"
#include "model/networks/step_rows.h"

namespace gloss {

TransformerLanguageModel::TransformerLanguageModel(const NetworkSizes& sizes,
                                                   const TransformerSettings& settings,
                                                   const VocabularySettings& vocabulary,
                                                   Parameters& parameters)
    : LanguageModel(vocabulary), sizes_(sizes), settings_(settings) {
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, sizes.width, vocabulary);
  output_ = tables.output;
  stack_ = only_stack(parameters, sizes, settings, tables.target);
  histories_ = decoder_histories(sizes, settings);
}

bool TransformerLanguageModel::forgets_earlier_steps() const {
  return std::ranges::all_of(histories_, [](const MixerHistory& kept) { return kept.reach == 0; });
}

Tensor TransformerLanguageModel::hidden(const PackedRows& rows, Random* random) const {
  return stack_(rows, TransformerDropout(sizes_, settings_, random));
}

/// The encoded contexts of the rows, and their history.
class TransformerLanguageModel::State : public DecoderState {
 public:
  /// What the mixers of blocks read of contexts that were read together, for each block, see MixerHistory.
  using Read = std::vector<Tensor>;
  /// One row's part of it, without the last token, which stays as long as a row needs it.
  struct Source {
    std::shared_ptr<const Read> read;
    int start, length;
    int number;    ///< of the context, among those with tokens
    TokenId last;  ///< input of the row's first step
  };

  State(std::span<const MixerHistory> of_layers, AttentionPositions of_text)
      : positions(std::move(of_text)), histories(reaches_of(of_layers)) {}
  void select(std::span<const int> rows) override {
    histories.select(rows);
    std::vector<Source> selected;
    for (const int row : rows) selected.push_back(sources[index(row)]);
    sources.swap(selected);
  }
  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
    histories.append_new(more.histories);
    sources.insert(sources.end(), more.sources.begin(), more.sources.end());
  }
  void take(std::span<const int> counts) override { histories.take(counts); }
  void forget(std::span<const int> counts) override { histories.forget(counts); }
  /// What each row sees of its context in a block.
  const KeyRows& seen_sources(std::size_t block, const MixerHistory& kept) {
    seen_.clear();
    for (const Source& source : sources) {
      int first = source.start, end = source.start + source.length;
      if (kept.reach > 0) first = std::max(first, end - (kept.reach - 1));
      if (kept.of_sentences && source.length > 0) first = source.number, end = first + 1;
      for (int i = first; i < end; ++i) {
        const Tensor& read = (*source.read)[block];
        const auto from = index(read.columns() - kept.columns) * size_of(read.dtype());
        seen_.keys.push_back(static_cast<const char*>(read.raw_row(i)) + from);
      }
      seen_.end_row();
    }
    return seen_;
  }

  AttentionPositions positions;
  LayerHistories histories;
  std::vector<Source> sources;  // context of each row

 private:
  static std::vector<int> reaches_of(std::span<const MixerHistory> of_layers) {
    std::vector<int> reaches;
    for (const MixerHistory& kept : of_layers) reaches.push_back(kept.reach);
    return reaches;
  }

  KeyRows seen_;
};

std::unique_ptr<DecoderState> TransformerLanguageModel::start(const TokenRows& source) const {
  const Prompts prompts = prompts_of(source);
  auto projected = std::make_shared<State::Read>(stack_.blocks.size());
  const PackedRows packed(prompts.read, kDecodingRows);
  if (!packed.tokens.empty())
    stack_(packed, TransformerDropout(sizes_, settings_, nullptr), {.projected = projected.get()});
  auto state = std::make_unique<State>(histories_, stack_.positions.in_attention());
  int number = 0;
  for (int row = 0; row < source.rows(); ++row) {
    const int length = prompts.read.length(row);
    state->sources.push_back(
        {projected, prompts.read.starts[index(row)], length, number, prompts.last[index(row)]});
    if (length > 0) ++number;
  }
  state->histories.add_rows(source.rows());
  return state;
}

Tensor TransformerLanguageModel::advance(std::span<const TokenId> latest, DecoderState& any,
                                         SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  state.histories.advance();
  expects(latest.size() == state.histories.latest().size(), "step: ", latest.size(), " tokens for ",
          state.histories.latest().size(), " positions");
  refuse(attention);
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  std::vector<int> places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Past::Position position = state.histories.latest()[i];
    const State::Source& source = state.sources[index(position.row)];
    places.push_back(source.length + position.before);
    if (position.before == 0) tokens[i] = source.last;
  }
  const auto padded = padded_rows(tokens.size());
  tokens.resize(padded, -1);
  places.resize(padded, 0);

  const TransformerDropout none(sizes_, settings_, nullptr);
  const Tensor embedded = (*stack_.tokens)(tokens, places, {});
  Tensor x = embedded;
  for (std::size_t i = 0; i < stack_.blocks.size(); ++i) {
    const SelfAttentionView view{.positions = &state.positions,
                                 .places = &places,
                                 .history = &state.histories.history(i),
                                 .past = &state.histories.past(i),
                                 .before = &state.seen_sources(i, histories_[i])};
    x = (*stack_.blocks[i])(x, view, {}, none);
  }
  return (*stack_.end)(x, embedded, none);
}

}  // namespace gloss
