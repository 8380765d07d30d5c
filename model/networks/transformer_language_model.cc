#include "model/networks/transformer_language_model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace gloss {

struct TransformerLanguageModel::Taught {
  PackedRows input;
  std::vector<TokenId> targets;    // what follows each input token; -1: not asked for
  std::vector<float> weights;      // of the targets; empty: 1
  std::vector<std::size_t> asked;  // the places of the targets, in the order of the batch's target tokens
};

TransformerLanguageModel::TransformerLanguageModel(const TransformerSettings& settings,
                                                   const VocabularySettings& vocabulary,
                                                   Parameters& parameters)
    : settings_(settings), vocabulary_(vocabulary) {
  const EmbeddingTables tables = declare_embeddings(parameters, settings, vocabulary);
  output_weight_ = tables.output;
  const PositionScheme positions = declare_positions(parameters, settings).decoder;
  embedding_ = std::make_unique<TokenEmbedding>(tables.target, positions.embeddings);
  // So that the sum of all branches does not grow with their number.
  const double scale = 1 / std::sqrt(2.0 * settings.decoder_layers);
  for (int i = 0; i < settings.decoder_layers; ++i) {
    blocks_.emplace_back(parameters, concat("decoder.", i), settings, positions.attention, scale);
  }
  if (settings.norm == NormPlacement::pre) norm_.emplace(parameters, "decoder.norm", settings.width);
}

TransformerLanguageModel::Taught TransformerLanguageModel::teach(const Batch& batch) const {
  expects(batch.source.rows() == batch.target.rows(), "a batch with ", batch.source.rows(),
          " source rows and ", batch.target.rows(), " target rows");
  const std::vector<float> weights = token_weights(batch, batch.target.tokens.size());
  TokenRows inputs;
  std::vector<TokenId> targets;
  std::vector<float> target_weights;
  std::vector<std::size_t> asked;
  for (int row = 0; row < batch.target.rows(); ++row) {
    const auto before = batch.source.row(row), target = batch.target.row(row);
    std::vector<TokenId> input(before.begin(), before.end());
    if (input.empty()) input.push_back(vocabulary_.begin);
    targets.insert(targets.end(), input.size() - 1, -1);
    if (!target.empty()) input.insert(input.end(), target.begin(), target.end() - 1);
    if (target.empty()) targets.push_back(-1);
    if (!weights.empty()) target_weights.resize(targets.size(), 0);
    for (std::size_t i = 0; i < target.size(); ++i) {
      asked.push_back(targets.size());
      targets.push_back(target[i]);
      if (!weights.empty()) target_weights.push_back(weights[asked.size() - 1]);
    }
    inputs.add(input);
  }
  PackedRows packed(inputs, kTrainingRows);
  targets.resize(packed.tokens.size(), -1);
  if (!weights.empty()) target_weights.resize(targets.size(), 0);
  return {std::move(packed), std::move(targets), std::move(target_weights), std::move(asked)};
}

Tensor TransformerLanguageModel::hidden(const PackedRows& rows, const TransformerDropout& dropout,
                                        std::vector<Tensor>* projected) const {
  const std::vector<AttentionSpan> spans = rows.spans_to(rows);
  Tensor x = (*embedding_)(rows.tokens, rows.places, dropout.embedding());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const SelfAttentionView view{.places = &rows.places,
                                 .spans = &spans,
                                 .projected = projected != nullptr ? &(*projected)[i] : nullptr};
    x = blocks_[i](x, view, /*causal=*/true, dropout);
  }
  return normed(x);
}

Loss TransformerLanguageModel::loss(const Batch& batch, const Regularization* regularization) const {
  const TransformerDropout dropout(settings_, regularization != nullptr ? &regularization->random : nullptr);
  const Taught taught = teach(batch);
  const CrossEntropy made =
      softmax_cross_entropy(hidden(taught.input, dropout), output_weight_, Tensor(), taught.targets,
                            taught.weights, regularization != nullptr ? regularization->label_smoothing : 0);
  return {made.sum, made.cross_entropy, static_cast<int>(batch.target.tokens.size()), weight_of(batch)};
}

std::vector<float> TransformerLanguageModel::log_probabilities(const Batch& batch) const {
  const Taught taught = teach(batch);
  const std::vector<float> all = target_log_probabilities(
      hidden(taught.input, TransformerDropout(settings_, nullptr)), output_weight_, Tensor(), taught.targets);
  std::vector<float> asked;
  for (const std::size_t place : taught.asked) asked.push_back(all[place]);
  return asked;
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
  TokenRows read;  // all but the last tokens, which the first step takes
  for (int row = 0; row < source.rows(); ++row) {
    const auto tokens = source.row(row);
    read.add(tokens.first(tokens.empty() ? 0 : tokens.size() - 1));
  }
  auto projected = std::make_shared<State::Read>(blocks_.size());
  const PackedRows packed(read, kDecodingRows);
  if (!packed.tokens.empty()) hidden(packed, TransformerDropout(settings_, nullptr), projected.get());
  auto state = std::make_unique<State>(blocks_.size());
  for (int row = 0; row < source.rows(); ++row) {
    const auto tokens = source.row(row);
    state->sources.push_back({projected, read.starts[static_cast<std::size_t>(row)], read.length(row),
                              tokens.empty() ? vocabulary_.begin : tokens.back()});
  }
  state->past.add_rows(source.rows());
  return state;
}

Tensor TransformerLanguageModel::step(std::span<const TokenId> latest, DecoderState& state,
                                      SourceAttention* attention) const {
  return vocabulary_scores(advance(latest, dynamic_cast<State&>(state), attention), output_weight_);
}

void TransformerLanguageModel::step_to_best(std::span<const TokenId> latest, DecoderState& state,
                                            const TopScores::Wanted& wanted, TopScores& best,
                                            SourceAttention* attention) const {
  const Tensor x = advance(latest, dynamic_cast<State&>(state), attention);
  top_vocabulary_scores(x, output_weight_, static_cast<std::int64_t>(latest.size()), wanted, best);
}

Tensor TransformerLanguageModel::advance(std::span<const TokenId> latest, State& state,
                                         SourceAttention* attention) const {
  expects(static_cast<int>(latest.size()) == state.past.rows(), "step: ", latest.size(), " tokens for ",
          state.past.rows(), " rows");
  if (attention != nullptr) {
    throw UsageError("a language model has no attention to a source: it cannot tell where it looks");
  }
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  std::vector<int> places;
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    State::Source& source = state.sources[row];
    places.push_back(source.length + state.past.length(static_cast<int>(row)));
    if (source.last >= 0) tokens[row] = source.last;
    source.last = -1;
  }
  const auto padded = static_cast<std::size_t>(rounded_rows(static_cast<int>(tokens.size()), kDecodingRows));
  tokens.resize(padded, -1);
  places.resize(padded, 0);
  state.past.advance();

  const TransformerDropout none(settings_, nullptr);
  Tensor x = (*embedding_)(tokens, places, {});
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const SelfAttentionView view{.places = &places,
                                 .history = &state.histories[i],
                                 .past = &state.past,
                                 .before = &state.seen_sources(i, settings_.width)};
    x = blocks_[i](x, view, /*causal=*/true, none);
  }
  return normed(x);
}

}  // namespace gloss
