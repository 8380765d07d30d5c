#include "model/networks/transformer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace gloss {

// Few different sizes reach the products: token counts are rounded up with rows that no sentence owns. Those
// rows stay finite, are not attended to and get no gradient.
constexpr int kTrainingRows = 64;
constexpr int kDecodingRows = 8;

namespace {

int rounded(int rows, int multiple) { return (rows + multiple - 1) / multiple * multiple; }

/// The weight of each of `count` target tokens, those behind the sentences included; none if all count alike.
std::vector<float> token_weights(const Batch& batch, std::size_t count) {
  if (batch.weights.empty()) return {};
  expects(static_cast<int>(batch.weights.size()) == batch.target.rows(), "a batch with ",
          batch.weights.size(), " weights for ", batch.target.rows(), " rows");
  std::vector<float> weights;
  for (int row = 0; row < batch.target.rows(); ++row) {
    weights.insert(weights.end(), static_cast<std::size_t>(batch.target.length(row)),
                   batch.weights[static_cast<std::size_t>(row)]);
  }
  weights.resize(count);
  return weights;
}

double weight_of(const Batch& batch) {
  if (batch.weights.empty()) return static_cast<double>(batch.target.tokens.size());
  double sum = 0;
  for (int row = 0; row < batch.target.rows(); ++row) {
    sum += static_cast<double>(batch.weights[static_cast<std::size_t>(row)]) * batch.target.length(row);
  }
  return sum;
}

}  // namespace

struct Transformer::Packed {
  std::vector<TokenId> tokens;  // -1 behind the sentences
  std::vector<int> places;      // within each sentence
  std::vector<int> starts;      // of the sentences, and the end of the last

  Packed(const TokenRows& rows, int multiple) : tokens(rows.tokens), starts(rows.starts) {
    for (int row = 0; row < rows.rows(); ++row) {
      for (int i = 0; i < rows.length(row); ++i) places.push_back(i);
    }
    const auto size = static_cast<std::size_t>(rounded(static_cast<int>(tokens.size()), multiple));
    tokens.resize(size, -1);
    places.resize(size, 0);
  }

  std::vector<AttentionSpan> spans_to(const Packed& keys) const {
    std::vector<AttentionSpan> spans;
    for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
      spans.push_back(
          {starts[s], starts[s + 1] - starts[s], keys.starts[s], keys.starts[s + 1] - keys.starts[s]});
    }
    return spans;
  }
};

Transformer::Transformer(const TransformerSettings& settings, const VocabularySettings& vocabulary,
                         Parameters& parameters)
    : settings_(settings), vocabulary_(vocabulary) {
  const std::int64_t width = settings.width;
  const auto declare = [&](const std::string& name, int size, Role role) {
    return parameters.declare(name + ".weight", {size, width}, normal_values(1.0 / std::sqrt(settings.width)),
                              role);
  };
  if (settings.tied_embeddings == TiedEmbeddings::all) {
    source_table_ = target_table_ = output_weight_ =
        declare("embedding", vocabulary.target, Role::matrix_and_table);
  } else {
    const bool tied = settings.tied_embeddings == TiedEmbeddings::target;
    source_table_ = declare("source_embedding", vocabulary.source, Role::table);
    target_table_ =
        declare("target_embedding", vocabulary.target, tied ? Role::matrix_and_table : Role::table);
    output_weight_ = tied ? target_table_ : declare("output", vocabulary.target, Role::matrix);
  }
  const PositionTables positions = declare_positions(parameters, settings);
  source_embedding_ = std::make_unique<TokenEmbedding>(source_table_, positions.encoder);
  target_embedding_ = std::make_unique<TokenEmbedding>(target_table_, positions.decoder);
  for (int i = 0; i < settings.encoder_layers; ++i)
    encoder_.emplace_back(parameters, concat("encoder.", i), settings);
  for (int i = 0; i < settings.decoder_layers; ++i)
    decoder_.emplace_back(parameters, concat("decoder.", i), settings);
  if (settings.norm == NormPlacement::pre) {
    encoder_norm_.emplace(parameters, "encoder.norm", width);
    decoder_norm_.emplace(parameters, "decoder.norm", width);
  }
}

Tensor Transformer::encode(const Packed& source, const TransformerDropout& dropout) const {
  const std::vector<AttentionSpan> spans = source.spans_to(source);
  Tensor x = (*source_embedding_)(source.tokens, source.places, dropout.embedding());
  for (const EncoderBlock& block : encoder_) {
    x = block.around_attention(
        x,
        [&](const Tensor& y) {
          return block.self_attention(y, {.spans = &spans}, /*causal=*/false, dropout.attention());
        },
        dropout);
    x = block.around_feed_forward(
        x, [&](const Tensor& y) { return block.feed_forward(y, dropout); }, dropout);
  }
  return encoder_norm_ ? (*encoder_norm_)(x) : x;
}

Tensor Transformer::decoder_block(const DecoderBlock& block, const Tensor& x, const SelfAttentionView& view,
                                  const KeysValues& memory, const TransformerDropout& dropout,
                                  SourceAttention* attention) const {
  Tensor y = block.around_attention(
      x, [&](const Tensor& z) { return block.self_attention(z, view, /*causal=*/true, dropout.attention()); },
      dropout);
  y = block.around_cross_attention(
      y,
      [&](const Tensor& z) {
        if (attention != nullptr) {
          attention->weights = block.cross_attention.weights(z, memory.rows);
          attention->starts.assign(memory.rows.starts.begin(), memory.rows.starts.end());
        }
        return block.cross_attention.attend(z, memory, dropout.attention());
      },
      dropout);
  return block.around_feed_forward(
      y, [&](const Tensor& z) { return block.feed_forward(z, dropout); }, dropout);
}

Tensor Transformer::decode(const Packed& source, const Packed& target,
                           const TransformerDropout& dropout) const {
  const Tensor memory = encode(source, dropout);
  const std::vector<AttentionSpan> self = target.spans_to(target), cross = target.spans_to(source);
  // The decoder reads each target one place later: begin token first, end token never.
  std::vector<TokenId> input(target.tokens.size(), -1);
  for (std::size_t s = 0; s + 1 < target.starts.size(); ++s) {
    const auto first = static_cast<std::size_t>(target.starts[s]),
               last = static_cast<std::size_t>(target.starts[s + 1]);
    input[first] = vocabulary_.begin;
    std::copy(target.tokens.begin() + static_cast<std::ptrdiff_t>(first),
              target.tokens.begin() + static_cast<std::ptrdiff_t>(last) - 1,
              input.begin() + static_cast<std::ptrdiff_t>(first) + 1);
  }
  Tensor x = (*target_embedding_)(input, target.places, dropout.embedding());
  for (const DecoderBlock& block : decoder_) {
    const KeysValues seen{block.cross_attention.project(memory), cross, {}};
    x = decoder_block(block, x, {.spans = &self}, seen, dropout);
  }
  return decoder_norm_ ? (*decoder_norm_)(x) : x;
}

Loss Transformer::loss(const Batch& batch, const Regularization* regularization) const {
  expects(batch.source.rows() == batch.target.rows(), "a batch with ", batch.source.rows(),
          " source rows and ", batch.target.rows(), " target rows");
  const TransformerDropout dropout(settings_, regularization != nullptr ? &regularization->random : nullptr);
  const Packed source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  const std::vector<float> weights = token_weights(batch, target.tokens.size());
  const CrossEntropy made =
      softmax_cross_entropy(decode(source, target, dropout), output_weight_, Tensor(), target.tokens, weights,
                            regularization != nullptr ? regularization->label_smoothing : 0);
  return {made.sum, made.cross_entropy, static_cast<int>(batch.target.tokens.size()), weight_of(batch)};
}

std::vector<float> Transformer::log_probabilities(const Batch& batch) const {
  const TransformerDropout dropout(settings_, nullptr);
  const Packed source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  std::vector<float> all =
      target_log_probabilities(decode(source, target, dropout), output_weight_, Tensor(), target.tokens);
  all.resize(batch.target.tokens.size());
  return all;
}

/// The encoder's keys and values once per sentence, and the history of the hypotheses.
class Transformer::State : public DecoderState {
 public:
  State(int rows, std::size_t layers)
      : past(rows), histories(layers), sentences(static_cast<std::size_t>(rows)) {
    for (int row = 0; row < rows; ++row) sentences[static_cast<std::size_t>(row)] = row;
  }
  void select(std::span<const int> rows) override {
    past.select(rows);
    std::vector<int> selected;
    for (const int row : rows) selected.push_back(sentences.at(static_cast<std::size_t>(row)));
    sentences = std::move(selected);
  }
  /// What each row sees of the source in a layer.
  KeysValues seen_source(std::size_t layer) const {
    const Tensor& projected = memory[layer];
    KeysValues seen;
    for (const int sentence : sentences) {
      for (int i = starts[static_cast<std::size_t>(sentence)];
           i < starts[static_cast<std::size_t>(sentence) + 1]; ++i) {
        seen.rows.keys.push_back(projected.raw_row(i));
      }
      seen.rows.starts.push_back(static_cast<int>(seen.rows.keys.size()));
    }
    return seen;
  }

  Past past;
  std::vector<History> histories;  // per layer
  std::vector<Tensor> memory;      // per layer: [T, 2 width]
  std::vector<int> starts;         // of the sentences in `memory`
  std::vector<int> sentences;      // of each row
};

std::unique_ptr<DecoderState> Transformer::start(const TokenRows& source) const {
  auto state = std::make_unique<State>(source.rows(), decoder_.size());
  const Packed packed(source, kDecodingRows);
  const Tensor memory = encode(packed, TransformerDropout(settings_, nullptr));
  for (const DecoderBlock& block : decoder_) state->memory.push_back(block.cross_attention.project(memory));
  state->starts = source.starts;
  return state;
}

Tensor Transformer::step(std::span<const TokenId> latest, DecoderState& decoder_state,
                         SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(decoder_state);
  expects(static_cast<int>(latest.size()) == state.past.rows(), "step: ", latest.size(), " tokens for ",
          state.past.rows(), " rows");
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  std::vector<int> places;
  for (int row = 0; row < state.past.rows(); ++row) places.push_back(state.past.length(row));
  const auto padded = static_cast<std::size_t>(rounded(static_cast<int>(tokens.size()), kDecodingRows));
  tokens.resize(padded, -1);
  places.resize(padded, 0);
  state.past.advance();

  const TransformerDropout none(settings_, nullptr);
  Tensor x = (*target_embedding_)(tokens, places, {});
  for (std::size_t layer = 0; layer < decoder_.size(); ++layer) {
    const SelfAttentionView view{.history = &state.histories[layer], .past = &state.past};
    x = decoder_block(decoder_[layer], x, view, state.seen_source(layer), none,
                      layer + 1 == decoder_.size() ? attention : nullptr);
  }
  if (decoder_norm_) x = (*decoder_norm_)(x);
  return vocabulary_scores(x, output_weight_);
}

}  // namespace gloss
