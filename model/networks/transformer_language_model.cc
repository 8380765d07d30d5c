#include "model/networks/transformer_language_model.h"

#include <algorithm>

#include "base/error.h"
#include "base/rounding.h"
#include "model/networks/embedding_tables.h"

namespace gloss {

TransformerLanguageModel::TransformerLanguageModel(const TransformerSettings& settings,
                                                   const VocabularySettings& vocabulary,
                                                   Parameters& parameters)
    : LanguageModel(vocabulary), settings_(settings) {
  const EmbeddingTables tables = declare_embeddings(parameters, settings, settings.width, vocabulary);
  output_weight_ = tables.output;
  stack_.emplace(parameters, settings, tables.target);
}

Tensor TransformerLanguageModel::hidden(const PackedRows& rows, Random* random) const {
  return (*stack_)(rows, TransformerDropout(settings_, random));
}

/// What was read before the rows began, and their history.
class TransformerLanguageModel::State : public DecoderState {
 public:
  /// Keys and values of sources that were read together: of each block [T, 3 width].
  using Read = std::vector<Tensor>;
  /// A row's part of it, which stays as long as a row sees any of it, without the last token.
  struct Source {
    std::shared_ptr<const Read> read;
    int start, length;
    TokenId last;  ///< until the row's first step takes it; then -1
  };

  explicit State(std::size_t layers) : histories(layers) {}
  void select(std::span<const int> rows) override {
    past.select(rows);
    std::vector<Source> selected;
    for (const int row : rows) selected.push_back(sources[static_cast<std::size_t>(row)]);
    sources.swap(selected);
  }
  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
    for (int row = 0; row < more.past.rows(); ++row) expects(more.past.length(row) == 0, "not a new state");
    past.add_rows(more.past.rows());
    sources.insert(sources.end(), more.sources.begin(), more.sources.end());
  }
  /// What each row sees of its source in a block.
  const KeyRows& seen_sources(std::size_t block, std::int64_t width) {
    seen_.clear();
    for (const Source& source : sources) {
      for (int i = source.start; i < source.start + source.length; ++i) {
        const Tensor& read = (*source.read)[block];
        const auto keys = static_cast<std::size_t>(read.columns() - 2 * width) * size_of(read.dtype());
        seen_.keys.push_back(static_cast<const char*>(read.raw_row(i)) + keys);
      }
      seen_.end_row();
    }
    return seen_;
  }

  Past past;
  std::vector<History> histories;  // per block
  std::vector<Source> sources;     // of each row

 private:
  KeyRows seen_;
};

std::unique_ptr<DecoderState> TransformerLanguageModel::start(const TokenRows& source) const {
  const Prompts prompts = prompts_of(source);
  auto projected = std::make_shared<State::Read>(stack_->blocks().size());
  const PackedRows packed(prompts.read, kDecodingRows);
  if (!packed.tokens.empty()) (*stack_)(packed, TransformerDropout(settings_, nullptr), projected.get());
  auto state = std::make_unique<State>(stack_->blocks().size());
  for (int row = 0; row < source.rows(); ++row) {
    const auto number = static_cast<std::size_t>(row);
    state->sources.push_back(
        {projected, prompts.read.starts[number], prompts.read.length(row), prompts.last[number]});
  }
  state->past.add_rows(source.rows());
  return state;
}

Tensor TransformerLanguageModel::advance(std::span<const TokenId> latest, DecoderState& any,
                                         SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  expects(static_cast<int>(latest.size()) == state.past.rows(), "step: ", latest.size(), " tokens for ",
          state.past.rows(), " rows");
  refuse(attention);
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  std::vector<int> places;
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    State::Source& source = state.sources[row];
    places.push_back(source.length + state.past.length(static_cast<int>(row)));
    if (source.last >= 0) tokens[row] = source.last;
    source.last = -1;
  }
  const auto padded = round_up(tokens.size(), kDecodingRows);
  tokens.resize(padded, -1);
  places.resize(padded, 0);
  state.past.advance();

  const TransformerDropout none(settings_, nullptr);
  Tensor x = stack_->embedding()(tokens, places, {});
  for (std::size_t i = 0; i < stack_->blocks().size(); ++i) {
    const SelfAttentionView view{.places = &places,
                                 .history = &state.histories[i],
                                 .past = &state.past,
                                 .before = &state.seen_sources(i, settings_.width)};
    x = stack_->blocks()[i](x, view, /*causal=*/true, none);
  }
  return stack_->normed(x);
}

}  // namespace gloss
