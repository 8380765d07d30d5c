// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/layer_histories.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/mixers/mixers.h"
#include "model/networks/step_rows.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

Transformer::Transformer(const NetworkSizes& sizes, const TransformerSettings& settings,
                         const SourceSettings& source, const VocabularySettings& vocabulary,
                         Parameters& parameters)
    : TranslationNetwork(vocabulary), sizes_(sizes), settings_(settings) {
  NetworkSizes of_text = sizes;
  if (!source.is_text()) of_text.encoder_layers = 0;
  const EmbeddingTables tables = declare_embeddings(parameters, of_text, sizes.width, vocabulary);
  output_ = tables.output;
  const bool of_both = !source.is_text() && within_attention(settings.positions);
  PositionSchemes positions = declare_positions(parameters, of_both ? sizes : of_text, settings,
                                                grid_of_vectors(source, sizes.max_positions));
  if (source.is_text()) {
    encoder_.tokens =
        std::make_unique<TokenEmbedding>(parameters, "encoder", sizes, settings,
                                         TokenEmbedding::Tables{tables.source, positions.encoder.embeddings});
  } else {
    encoder_.source = make_source_embedding(parameters, {.source = source,
                                                         .width = sizes.width,
                                                         .norm = settings.norms(),
                                                         .positions = settings.positions,
                                                         .max_positions = sizes.max_positions});
  }
  decoder_.tokens =
      std::make_unique<TokenEmbedding>(parameters, "decoder", sizes, settings,
                                       TokenEmbedding::Tables{tables.target, positions.decoder.embeddings});
  encoder_.positions = std::move(positions.encoder);
  decoder_.positions = std::move(positions.decoder);
  encoder_.blocks = make_blocks(parameters, {sizes, settings}, LayerStack::encoder, grid_columns(source));
  decoder_.blocks = make_blocks(parameters, decoder_side(sizes, settings), LayerStack::decoder);
  if (settings.source_link == SourceLink::unfolding) {
    unfolding_.emplace(parameters, "decoder.unfolding", sizes.width, sizes.width,
                       xavier_uniform(sizes.width, sizes.width), false);
  }
  for (const MixerHistory& kept : decoder_histories(sizes, settings)) reaches_.push_back(kept.reach);
  encoder_.end.emplace(parameters, "encoder", sizes, settings);
  decoder_.end.emplace(parameters, "decoder", sizes, settings);
  if (sizes.ctc_head) ctc_.emplace(parameters, sizes.width, vocabulary);
}

bool Transformer::forgets_earlier_steps() const {
  return std::ranges::all_of(reaches_, [](int reach) { return reach == 0; });
}

Tensor Transformer::unfolded(const Tensor& embedded, const Tensor& states, const PackedRows& source,
                             const PackedRows& target) const {
  if (!unfolding_) return embedded;
  std::vector<int> rows(index(embedded.rows()), -1);
  for (int sentence = 0; sentence < target.sentences(); ++sentence) {
    const int count = std::min(source.length(sentence), target.length(sentence));
    std::iota(rows.begin() + target.start(sentence), rows.begin() + target.start(sentence) + count,
              source.start(sentence));
  }
  return add_dropout(embedded, take_rows((*unfolding_)(states), std::move(rows)), {});
}

Tensor Transformer::decode(const Tensor& states, const PackedRows& source, const PackedRows& target,
                           const TransformerDropout& dropout, const Watch& watch) const {
  const std::vector<AttentionSpan> cross = target.spans_to(source);
  const Tensor embedded =
      (*decoder_.tokens)(target.shifted(vocabulary_.begin), target.places, dropout.embedding());
  GuidedHead head{std::max(0, sizes_.alignment_head - 1)};
  const Tensor hidden =
      decoder_.from_input(unfolded(embedded, states, source, target), embedded, target, dropout,
                          {.states = &states,
                           .source_spans = &cross,
                           .guided = watch.guided != nullptr ? &head : nullptr,
                           .weights = watch.weights});
  if (watch.guided != nullptr) *watch.guided = {head.weights, cross};
  return hidden;
}

Loss Transformer::loss(const Batch& batch, const Regularization* regularization) const {
  expects(batch.source.rows() == batch.target.rows(), "a batch with ", batch.source.rows(),
          " source rows and ", batch.target.rows(), " target rows");
  const TransformerDropout dropout(sizes_, settings_,
                                   regularization != nullptr ? &regularization->random : nullptr);
  const PackedRows source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  const std::vector<float> weights = token_weights(batch, target.tokens.size());
  const bool guides = guides_attention(batch, regularization);
  TargetAttention guided;
  const Tensor states = encoder_(source, dropout);
  const Tensor hidden = decode(states, source, target, dropout, {.guided = guides ? &guided : nullptr});
  Loss loss = loss_of(hidden, target.tokens, weights, batch, regularization);
  if (guides) {
    loss.sum =
        add_prefix(loss.sum, alignment_loss({&guided, 1}, batch, regularization->terms.alignment_weight));
  }
  mix_ctc(loss, {states, source.starts}, batch, regularization);
  return loss;
}

Tensor Transformer::states(const TokenRows& rows) const {
  return encoder_(PackedRows(rows, kDecodingRows), TransformerDropout(sizes_, settings_, nullptr));
}

Tensor Transformer::target_states(const Batch& batch) const {
  const PackedRows source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  const TransformerDropout none(sizes_, settings_, nullptr);
  return decode(encoder_(source, none), source, target, none, {});
}

std::vector<MixingNetwork::Layer> Transformer::layers(bool of_decoder) const {
  const TransformerSide side =
      of_decoder ? decoder_side(sizes_, settings_) : TransformerSide{sizes_, settings_};
  std::vector<Layer> all;
  for (int layer = 0; layer < (of_decoder ? sizes_.decoder_layers : sizes_.encoder_layers); ++layer) {
    const MixerKind& kind = mixer_of(side.settings, layer, of_decoder);
    all.push_back({kind.name, kind.weighs, side.sizes.heads});
  }
  return all;
}

void Transformer::visit_weights(const Batch& batch, bool of_decoder, const LayerVisitors& visitors) const {
  const PackedRows source(batch.source, kDecodingRows);
  const TransformerDropout none(sizes_, settings_, nullptr);
  const Tensor states = encoder_(source, none, {.weights = of_decoder ? nullptr : &visitors});
  if (of_decoder)
    decode(states, source, PackedRows(batch.target, kDecodingRows), none, {.weights = &visitors});
}

/// The encoder's keys and values, once per sentence, and the history of the hypotheses.
class Transformer::State : public DecoderState {
 public:
  /// The projections of sentences that were encoded together.
  struct Encoded {
    std::vector<Tensor> projected;  // per layer: [T, 2 key_value_width]
    Tensor unfolded;                // or [T, width]
  };
  /// One sentence's part of it, which stays as long as a row needs it.
  struct Source {
    std::shared_ptr<const Encoded> encoded;
    int start, length;
  };

  State(std::span<const int> reaches, AttentionPositions of_targets)
      : positions(std::move(of_targets)), histories(reaches) {}
  void select(std::span<const int> rows) override {
    histories.select(rows);
    selected_.clear();
    for (const int row : rows) selected_.push_back(sources[index(row)]);
    sources.swap(selected_);
    selected_.clear();
  }
  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
    histories.append_new(more.histories);
    sources.insert(sources.end(), more.sources.begin(), more.sources.end());
  }
  void take(std::span<const int> counts) override { histories.take(counts); }
  void forget(std::span<const int> counts) override { histories.forget(counts); }
  /// The source keys and values of each latest position in a layer.
  KeysValues seen_source(std::size_t layer) {
    seen_.clear();
    for (const Past::Position position : histories.latest()) {
      const Source& source = sources[index(position.row)];
      const Tensor& projected = source.encoded->projected[layer];
      for (int i = source.start; i < source.start + source.length; ++i) {
        seen_.keys.push_back(projected.raw_row(i));
      }
      seen_.end_row();
    }
    return {{}, nullptr, &seen_};
  }

  /// The unfolded state at each latest position, zeros behind the source's, and padding: [rows, width].
  Tensor unfolded(const Tensor& like) const {
    const Tensor all = Tensor::uninitialised(like.shape(), like.dtype());
    std::memset(all.raw(), 0, index(all.bytes()));
    std::int64_t row = 0;
    for (const Past::Position position : histories.latest()) {
      const Source& source = sources[index(position.row)];
      if (position.before < source.length) {
        const Tensor& from = source.encoded->unfolded;
        std::memcpy(all.raw_row(row), from.raw_row(source.start + position.before),
                    index(from.columns()) * size_of(from.dtype()));
      }
      ++row;
    }
    return all;
  }

  AttentionPositions positions;
  LayerHistories histories;
  std::vector<Source> sources;  // source of each row
  std::vector<TokenId> tokens;  // of the step, padded
  std::vector<int> places;

 private:
  std::vector<Source> selected_;
  KeyRows seen_;
};

std::unique_ptr<DecoderState> Transformer::start(const TokenRows& source) const {
  auto state = std::make_unique<State>(reaches_, decoder_.positions.in_attention());
  const PackedRows packed(source, kDecodingRows);
  const Tensor states = encoder_(packed, TransformerDropout(sizes_, settings_, nullptr));
  State::Encoded encoded;
  for (const auto& block : decoder_.blocks) encoded.projected.push_back(block->project_source(states));
  if (unfolding_) encoded.unfolded = (*unfolding_)(states);
  const auto shared = std::make_shared<const State::Encoded>(std::move(encoded));
  for (int row = 0; row < source.rows(); ++row) {
    state->sources.push_back({shared, source.starts[index(row)], source.length(row)});
  }
  state->histories.add_rows(source.rows());
  return state;
}

Tensor Transformer::advance(std::span<const TokenId> latest, DecoderState& any,
                            SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  state.histories.advance();
  expects(latest.size() == state.histories.latest().size(), "step: ", latest.size(), " tokens for ",
          state.histories.latest().size(), " positions");
  const auto padded = padded_rows(latest.size());
  state.tokens.assign(latest.begin(), latest.end());
  state.tokens.resize(padded, -1);
  state.places.clear();
  for (const Past::Position position : state.histories.latest()) state.places.push_back(position.before);
  state.places.resize(padded, 0);

  const TransformerDropout none(sizes_, settings_, nullptr);
  if (attention != nullptr && unfolding_) {
    throw UsageError(
        "this model has no attention to the source (trained with --source-link unfolding): it cannot align "
        "or show "
        "attention");
  }
  const Tensor embedded = (*decoder_.tokens)(state.tokens, state.places, {});
  Tensor x = unfolding_ ? add_dropout(embedded, state.unfolded(embedded), {}) : embedded;
  for (std::size_t layer = 0; layer < decoder_.blocks.size(); ++layer) {
    const SelfAttentionView view{.positions = &state.positions,
                                 .places = &state.places,
                                 .history = &state.histories.history(layer),
                                 .past = &state.histories.past(layer)};
    SourceView source;
    if (!unfolding_) source.keys_values = state.seen_source(layer);
    if (attention != nullptr && layer == 0) {
      const std::vector<int>& starts = source.keys_values.rows->starts;
      attention->begin({starts.begin(), starts.end()}, sizes_.alignment_head);
    }
    if (attention != nullptr && (attention->of_every_head || layer + 1 == decoder_.blocks.size()))
      source.attention = attention;
    x = (*decoder_.blocks[layer])(x, view, source, none);
  }
  return (*decoder_.end)(x, embedded, none);
}

}  // namespace gloss
