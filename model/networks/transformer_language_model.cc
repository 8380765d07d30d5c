// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer_language_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/networks/embedding_tables.h"

namespace gloss {

TransformerLanguageModel::TransformerLanguageModel(const NetworkSizes& sizes,
                                                   const TransformerSettings& settings,
                                                   const VocabularySettings& vocabulary,
                                                   Parameters& parameters)
    : LanguageModel(vocabulary), sizes_(sizes), settings_(settings) {
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, sizes.width, vocabulary);
  output_ = tables.output;
  stack_.emplace(parameters, sizes, settings, tables.target);
}

Tensor TransformerLanguageModel::hidden(const PackedRows& rows, Random* random) const {
  return (*stack_)(rows, TransformerDropout(sizes_, settings_, random));
}

/// The encoded contexts of the rows, and their history.
class TransformerLanguageModel::State : public DecoderState {
 public:
  /// Projections of contexts that were read together, for each block; keys and values are the last columns.
  /// Blocks without attention have running sums instead.
  using Read = std::vector<Tensor>;
  /// One row's part of it, without the last token, which stays as long as a row needs it.
  struct Source {
    std::shared_ptr<const Read> read;
    int start, length;
    TokenId last;  ///< input of the row's first step
  };

  State(std::size_t layers, AttentionPositions of_text) : positions(std::move(of_text)), histories(layers) {}
  void select(std::span<const int> rows) override {
    past.select(rows);
    std::vector<Source> selected;
    for (const int row : rows) selected.push_back(sources[index(row)]);
    sources.swap(selected);
  }
  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
    for (int row = 0; row < more.past.rows(); ++row) expects(more.past.length(row) == 0, "not a new state");
    past.add_rows(more.past.rows());
    sources.insert(sources.end(), more.sources.begin(), more.sources.end());
  }
  void take(std::span<const int> counts) override { past.take(counts); }
  void forget(std::span<const int> counts) override { past.forget(counts); }
  /// What each row sees of its context in a block: the last `columns` of the projections.
  const KeyRows& seen_sources(std::size_t block, std::int64_t columns) {
    seen_.clear();
    for (const Source& source : sources) {
      for (int i = source.start; i < source.start + source.length; ++i) {
        const Tensor& read = (*source.read)[block];
        const auto keys = index(read.columns() - columns) * size_of(read.dtype());
        seen_.keys.push_back(static_cast<const char*>(read.raw_row(i)) + keys);
      }
      seen_.end_row();
    }
    return seen_;
  }

  AttentionPositions positions;
  Past past;
  std::vector<History> histories;  // per block
  std::vector<Source> sources;     // context of each row

 private:
  KeyRows seen_;
};

std::unique_ptr<DecoderState> TransformerLanguageModel::start(const TokenRows& source) const {
  const Prompts prompts = prompts_of(source);
  auto projected = std::make_shared<State::Read>(stack_->blocks().size());
  const PackedRows packed(prompts.read, kDecodingRows);
  if (!packed.tokens.empty())
    (*stack_)(packed, TransformerDropout(sizes_, settings_, nullptr), projected.get());
  auto state = std::make_unique<State>(stack_->blocks().size(), stack_->positions());
  for (int row = 0; row < source.rows(); ++row) {
    const auto number = index(row);
    state->sources.push_back(
        {projected, prompts.read.starts[number], prompts.read.length(row), prompts.last[number]});
  }
  state->past.add_rows(source.rows());
  return state;
}

Tensor TransformerLanguageModel::advance(std::span<const TokenId> latest, DecoderState& any,
                                         SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  state.past.advance();
  expects(latest.size() == state.past.latest().size(), "step: ", latest.size(), " tokens for ",
          state.past.latest().size(), " positions");
  refuse(attention);
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  std::vector<int> places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Past::Position position = state.past.latest()[i];
    const State::Source& source = state.sources[index(position.row)];
    places.push_back(source.length + position.before);
    if (position.before == 0) tokens[i] = source.last;
  }
  const auto padded = round_up(tokens.size(), kDecodingRows);
  tokens.resize(padded, -1);
  places.resize(padded, 0);

  const TransformerDropout none(sizes_, settings_, nullptr);
  const bool attends = settings_.decoder_autoregression == Autoregression::attention;
  const std::int64_t columns =
      attends ? 2 * attention_sizes(sizes_, settings_).heads.key_value_width() : sizes_.width;
  const Tensor embedded = stack_->embedding()(tokens, places, {});
  Tensor x = embedded;
  for (std::size_t i = 0; i < stack_->blocks().size(); ++i) {
    const SelfAttentionView view{.positions = &state.positions,
                                 .places = &places,
                                 .history = &state.histories[i],
                                 .past = &state.past,
                                 .before = &state.seen_sources(i, columns)};
    x = (*stack_->blocks()[i])(x, view, none);
  }
  return stack_->end(x, embedded, none);
}

}  // namespace gloss
