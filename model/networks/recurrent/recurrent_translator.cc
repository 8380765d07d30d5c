// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_translator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/recurrent/recurrent_decoder_state.h"
#include "model/networks/step_rows.h"

namespace gloss {
namespace {

/// Adds the weights of annotations to those of the vectors that they stand for, which share them evenly.
void add_weights(std::span<const float> weights, int vectors, int per_annotation, std::vector<float>& to) {
  for (int vector = 0; vector < vectors; ++vector) {
    const int annotation = vector / per_annotation;
    const int sharing = std::min(per_annotation, vectors - annotation * per_annotation);
    to.push_back(weights[index(annotation)] / static_cast<float>(sharing));
  }
}

/// Reports the attention of the single query of each span, given the number of vectors of its source.
/// Positions refer to the source before any reversal and before pyramid layers.
void report_attention(const Tensor& weights, const std::vector<AttentionSpan>& spans,
                      const std::vector<int>& vectors, const NetworkSizes& sizes,
                      const RecurrentSettings& settings, SourceAttention& attention) {
  std::vector<std::size_t> starts{0};
  std::vector<std::vector<float>> of_heads(index(sizes.heads));
  const float* from = weights.data();
  for (std::size_t row = 0; row < spans.size(); ++row) {
    const int keys = spans[row].key_count;
    for (std::vector<float>& head : of_heads) {
      add_weights({from, index(keys)}, vectors[row], settings.vectors_per_annotation(), head);
      if (settings.reverse_source) std::reverse(head.end() - keys, head.end() - 1);
      from += keys;
    }
    starts.push_back(of_heads.front().size());
  }
  attention.begin(std::move(starts), sizes.alignment_head);
  attention.add_layer(std::move(of_heads));
}

/// The batch with its links to the places that source tokens have after their reversal.
Batch with_reversed_links(Batch batch) {
  std::vector<int> places(batch.source.tokens.size());
  for (int row = 0; row < batch.source.rows(); ++row) {
    const int first = batch.source.starts[index(row)], last = batch.source.starts[index(row) + 1] - 1;
    for (int place = first; place < last; ++place) places[index(place)] = first + last - 1 - place;
    if (first <= last) places[index(last)] = last;
  }
  for (TokenLink& link : batch.links) link.source = places[index(link.source)];
  return batch;
}

}  // namespace

RecurrentTranslator::RecurrentTranslator(const NetworkSizes& sizes, const RecurrentSettings& settings,
                                         const SourceSettings& source, const VocabularySettings& vocabulary,
                                         Parameters& parameters)
    : TranslationNetwork(vocabulary), sizes_(sizes), settings_(settings) {
  NetworkSizes of_text = sizes;
  if (!source.is_text()) of_text.encoder_layers = 0;
  const EmbeddingTables tables =
      declare_embeddings(parameters, of_text, settings.embedding_width, vocabulary);
  source_table_ = tables.source;
  target_table_ = tables.target;
  output_ = tables.output;
  const bool summarises =
      settings.first_state != FirstState::zero || settings.attention == AttentionScore::none;
  const int read_width = sizes.encoder_layers > 0 ? settings.embedding_width : sizes.width;
  if (!source.is_text()) {
    source_ = make_source_embedding(parameters, {.source = source,
                                                 .width = read_width,
                                                 .norm = {},
                                                 .positions = Positions::sinusoidal,
                                                 .max_positions = sizes.max_positions});
  }
  encoder_.emplace(parameters, "encoder", sizes, settings, read_width, summarises);
  decoder_.emplace(parameters, sizes, settings, encoder_->width());
  if (sizes.ctc_head) ctc_.emplace(parameters, encoder_->width(), vocabulary);
}

PackedRows RecurrentTranslator::pack_source(const TokenRows& rows, int multiple) const {
  PackedRows packed(rows, multiple);
  for (int s = 0; settings_.reverse_source && s < packed.sentences(); ++s) {  // the end token stays last
    std::reverse(packed.tokens.begin() + packed.start(s), packed.tokens.begin() + packed.start(s + 1) - 1);
  }
  return packed;
}

EncodedSource RecurrentTranslator::encode(const PackedRows& source, const RecurrentMasks& masks) const {
  const Tensor vectors = source_ ? (*source_)(source, masks.source)
                                 : embed_tokens(source_table_, source.tokens, sizes_, masks.source,
                                                mask_numbers(source, settings_));
  return (*encoder_)(vectors, source, masks);
}

Tensor RecurrentTranslator::decode(const EncodedSource& source, const PackedRows& target,
                                   std::span<const TokenId> inputs, const RecurrentMasks& masks,
                                   std::vector<TargetAttention>* guided) const {
  expects(source.rows.sentences() == target.sentences(), "a batch with ", source.rows.sentences(),
          " source rows and ", target.sentences(), " target rows");
  const RecurrentStates memory = decoder_->memory(source);
  const Tensor tokens =
      embed_tokens(target_table_, inputs, sizes_, masks.target, mask_numbers(target, settings_));
  return (*decoder_)(memory, {source.rows, target, guided}, tokens, masks);
}

std::vector<TokenId> RecurrentTranslator::sampled_inputs(const PackedRows& source, const PackedRows& target,
                                                         Random& random) const {
  std::vector<TokenId> inputs = target.shifted(vocabulary_.begin);
  const WithoutGradients only_scores;
  const Tensor hidden = decode(source, target, inputs, RecurrentMasks(sizes_, settings_, nullptr));
  constexpr std::int64_t kBlock = 256;  // rows whose scores are in memory at once
  std::vector<TokenId> chosen;
  TopScores best;
  for (std::int64_t first = 0; first < hidden.rows(); first += kBlock) {
    std::vector<int> rows(index(std::min(kBlock, hidden.rows() - first)));
    std::iota(rows.begin(), rows.end(), static_cast<int>(first));
    const auto count = static_cast<std::int64_t>(rows.size());
    top_vocabulary_scores(take_rows(hidden, std::move(rows)), output_, count, {}, best);
    for (std::int64_t row = 0; row < count; ++row) chosen.push_back(best.best(row).front().token);
  }
  for (int s = 0; s < target.sentences(); ++s) {
    for (int row = target.start(s) + 1; row < target.start(s + 1); ++row) {
      if (random.uniform() >= settings_.scheduled_sampling) continue;
      inputs[index(row)] = chosen[index(row) - 1];
    }
  }
  return inputs;
}

void RecurrentTranslator::reward(const RecurrentMasks& masks, const PackedRows& source,
                                 const PackedRows& target, std::span<const TokenId> inputs,
                                 const Tensor& hidden, std::span<const float> weights) const {
  std::vector<float>& gains = *masks.draw->gains;
  gains.assign(target.tokens.size(), 0.0f);
  if (masks.draw->random == nullptr) return;  // nothing was sampled
  RecurrentMasks best = masks;
  best.draw = std::make_shared<const KeyDraw>(KeyDraw{nullptr, std::make_shared<std::vector<float>>()});
  const WithoutGradients only_probabilities;
  const Tensor expected = decode(source, target, inputs, best);
  const std::vector<float> drawn = target_log_probabilities(hidden, output_, target.tokens),
                           usual = target_log_probabilities(expected, output_, target.tokens);
  for (std::size_t i = 0; i < gains.size(); ++i) {
    gains[i] = (drawn[i] - usual[i]) * (weights.empty() ? 1.0f : weights[i]);
  }
}

Loss RecurrentTranslator::loss(const Batch& batch, const Regularization* regularization) const {
  const PackedRows source = pack_source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  Random* const random = regularization != nullptr ? &regularization->random : nullptr;
  const std::vector<TokenId> inputs = random != nullptr && settings_.scheduled_sampling > 0
                                          ? sampled_inputs(source, target, *random)
                                          : target.shifted(vocabulary_.begin);
  const RecurrentMasks masks(sizes_, settings_, random);
  const bool guides = guides_attention(batch, regularization);
  std::vector<TargetAttention> guided;
  const double even = regularization != nullptr ? regularization->terms.doubly_stochastic : 0;
  const EncodedSource encoded = encode(source, masks);
  const Tensor hidden = decode(encoded, target, inputs, masks, guides || even > 0 ? &guided : nullptr);
  const std::vector<float> weights = token_weights(batch, target.tokens.size());
  if (masks.draw != nullptr) reward(masks, source, target, inputs, hidden, weights);
  Loss loss = loss_of(hidden, target.tokens, weights, batch, regularization);
  if (guides) {
    loss.sum = add_prefix(
        loss.sum, alignment_loss(guided, settings_.reverse_source ? with_reversed_links(batch) : batch,
                                 regularization->terms.alignment_weight));
  }
  if (even > 0)
    loss.sum = add_prefix(loss.sum, even_attention_loss(guided, encoded.rows.starts, batch, even));
  mix_ctc(loss, {encoded.annotations, encoded.rows.starts}, batch, regularization);
  return loss;
}

EncodedRows RecurrentTranslator::encoded(const TokenRows& rows) const {
  EncodedSource encoded =
      encode(pack_source(rows, kDecodingRows), RecurrentMasks(sizes_, settings_, nullptr));
  return {std::move(encoded.annotations), std::move(encoded.rows.starts)};
}

Tensor RecurrentTranslator::states(const TokenRows& rows) const {
  const PackedRows source = pack_source(rows, kDecodingRows);
  const EncodedSource encoded = encode(source, RecurrentMasks(sizes_, settings_, nullptr));
  const Tensor read = encoded.annotations;
  if (settings_.pyramid_layers > 0) {
    std::vector<int> annotations;  // row of that of each vector
    for (int s = 0; s < source.sentences(); ++s) {
      for (int i = 0; i < source.length(s); ++i)
        annotations.push_back(encoded.rows.start(s) + i / settings_.vectors_per_annotation());
    }
    return take_rows(read, std::move(annotations));
  }
  if (!settings_.reverse_source) return read;
  std::vector<int> order;  // row of each token in the encoder's order
  for (int s = 0; s < source.sentences(); ++s) {
    const int last = source.start(s) + source.length(s) - 1;
    for (int place = source.start(s); place < last; ++place)
      order.push_back(last - 1 - (place - source.start(s)));
    if (source.length(s) > 0) order.push_back(last);
  }
  return take_rows(read, order);
}

Tensor RecurrentTranslator::target_states(const Batch& batch) const {
  const PackedRows source = pack_source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  return decode(source, target, target.shifted(vocabulary_.begin),
                RecurrentMasks(sizes_, settings_, nullptr));
}

std::unique_ptr<DecoderState> RecurrentTranslator::start(const TokenRows& source) const {
  auto state = std::make_unique<RecurrentDecoderState>();
  const RecurrentMasks none(sizes_, settings_, nullptr);
  const EncodedSource encoded = encode(pack_source(source, kDecodingRows), none);
  state->memory = decoder_->memory(encoded);
  state->starts = encoded.rows.starts;
  state->sentences.resize(index(source.rows()));
  std::iota(state->sentences.begin(), state->sentences.end(), 0);
  state->places.resize(state->sentences.size(), 0);
  for (int row = 0; row < source.rows(); ++row) {
    state->vectors.push_back(source.length(row));
    const int weights = settings_.coverage ? sizes_.heads * encoded.rows.length(row) : 0;
    state->seen.emplace_back(index(weights), 0.0f);
  }
  std::vector<int> rows = state->sentences;
  rows.resize(padded_rows(rows.size()), -1);
  state->states = decoder_->first_states(state->memory, rows);
  return state;
}

Tensor RecurrentTranslator::advance(std::span<const TokenId> latest, DecoderState& any,
                                    SourceAttention* attention) const {
  auto& state = dynamic_cast<RecurrentDecoderState&>(any);
  expects(latest.size() == state.sentences.size(), "step: ", latest.size(), " tokens for ",
          state.sentences.size(), " rows");
  if (attention != nullptr && !decoder_->attends()) {
    throw UsageError(
        "this model has no attention (trained with --attention none): it cannot align or show "
        "attention");
  }
  const std::size_t padded = padded_rows(latest.size());
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  tokens.resize(padded, -1);

  DecoderRows rows;
  rows.steps = one_step(static_cast<int>(latest.size()));
  rows.sentences = state.sentences;
  rows.sentences.resize(padded, -1);
  for (std::size_t row = 0; row < latest.size(); ++row) {
    const auto sentence = index(state.sentences[row]);
    const int start = state.starts[sentence];
    rows.queries.spans.push_back({static_cast<int>(row), 1, start, state.starts[sentence + 1] - start});
  }
  rows.queries.places = state.places;
  for (int& place : state.places) ++place;
  const RecurrentMasks none(sizes_, settings_, nullptr);
  const Tensor read = embed_tokens(target_table_, tokens, sizes_, {}, {});
  EarlierSteps earlier{state.found, {}};
  if (settings_.coverage) {
    earlier.seen = decoder_->nothing_seen(rows.queries.spans);
    float* to = earlier.seen.data();
    for (const std::vector<float>& row : state.seen) to = std::ranges::copy(row, to).out;
  }
  const DecodedRows decoded =
      decoder_->run(decoder_->project(read), earlier, state.states, state.memory, rows, none);
  const Tensor result = decoder_->read_out(decoded, read, {}, none);
  if (settings_.input_feeding) state.found = result;
  const float* weight = decoded.attended.weights ? decoded.attended.weights.data() : nullptr;
  for (std::vector<float>& row : state.seen) {
    for (float& sum : row) sum += *weight++;
  }
  if (attention != nullptr) {
    report_attention(decoded.attended.weights, rows.queries.spans, state.vectors, sizes_, settings_,
                     *attention);
  }
  return result;
}

}  // namespace gloss
