// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent_translator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/recurrent_rows.h"

namespace gloss {

RecurrentTranslator::RecurrentTranslator(const NetworkSizes& sizes, const RecurrentSettings& settings,
                                         const VocabularySettings& vocabulary, Parameters& parameters)
    : StepNetwork(vocabulary), sizes_(sizes), settings_(settings) {
  const std::int64_t embedding = settings.embedding_width, width = sizes.width;
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, settings.embedding_width, vocabulary);
  source_table_ = tables.source;
  target_table_ = tables.target;
  output_weight_ = tables.output;
  const bool summarises =
      settings.first_state != FirstState::zero || settings.attention == AttentionScore::none;
  encoder_.emplace(parameters, "encoder", sizes, settings, summarises);
  if (settings.attention != AttentionScore::none) {
    attention_.emplace(parameters, "attention", settings, sizes.heads, width, encoder_->width());
  }
  for (int i = 0; i < sizes.decoder_layers; ++i) {
    const std::string name = concat("decoder.", i);
    RecurrentLayer cell(parameters, name, settings.cell, i == 0 ? embedding : width, width);
    std::optional<Linear> first_state;
    if (settings.first_state != FirstState::zero) {
      const std::int64_t state = state_parts(settings.cell) * width;
      first_state.emplace(parameters, name + ".first_state", encoder_->width(), state,
                          xavier_uniform(encoder_->width(), width));
    }
    decoder_.push_back(
        {std::move(cell), std::move(first_state), LayerResult(parameters, name, settings, i == 0, width)});
  }
  if (asks(QueryPlacement::between)) {
    transition_.emplace(parameters, "decoder.transition", settings.cell, encoder_->width(), width);
  }
  const bool before = asks(QueryPlacement::before);
  if (before || settings.input_feeding || feeds_summary()) {
    const std::int64_t fed = settings.input_feeding ? embedding : encoder_->width();
    feed_weight_ = parameters.declare("decoder.feed.weight", {gates_of(settings.cell) * width, fed},
                                      xavier_uniform(fed, width), Role::matrix);
  }
  const std::int64_t read = width + (attends() || feeds_summary() ? encoder_->width() : 0) +
                            (before || transition_ ? embedding : 0);
  readout_.emplace(parameters, "readout", read, embedding, xavier_uniform(read, embedding));
}

bool RecurrentTranslator::needs_steps() const {
  return settings_.input_feeding || settings_.coverage || (attends() && !asks(QueryPlacement::after));
}

PackedRows RecurrentTranslator::pack_source(const TokenRows& rows, int multiple) const {
  PackedRows packed(rows, multiple);
  for (int s = 0; settings_.reverse_source && s < packed.sentences(); ++s) {  // the end token stays last
    std::reverse(packed.tokens.begin() + packed.start(s), packed.tokens.begin() + packed.start(s + 1) - 1);
  }
  return packed;
}

RecurrentTranslator::Memory RecurrentTranslator::encode(const PackedRows& source,
                                                        const RecurrentMasks& masks) const {
  const Tensor tokens =
      embed_tokens(source_table_, source.tokens, settings_, masks.source, mask_numbers(source, settings_));
  const EncodedSource encoded = (*encoder_)(tokens, source, masks);
  Memory memory{encoded.annotations, {}, {}, encoded.summary};
  if (attends()) memory.keys = attention_->keys(memory.annotations);
  if (feeds_summary()) memory.fed = linear(memory.summary, feed_weight_, {});
  return memory;
}

std::vector<Tensor> RecurrentTranslator::first_states(const Memory& memory,
                                                      const std::vector<int>& sentences) const {
  std::vector<Tensor> states;
  for (const Layer& layer : decoder_) {
    if (layer.first_state) {
      states.push_back(take_rows(tanh((*layer.first_state)(memory.summary)), sentences));
    } else {
      states.push_back(Tensor::zeros(
          {static_cast<std::int64_t>(sentences.size()), state_parts(settings_.cell) * sizes_.width},
          memory.annotations.dtype()));
    }
  }
  return states;
}

RecurrentTranslator::Decoded RecurrentTranslator::run_layers(const Tensor& projected, const Earlier& earlier,
                                                             std::vector<Tensor>& states,
                                                             const Memory& memory, const Rows& rows,
                                                             const RecurrentMasks& masks) const {
  Decoded decoded;
  const auto look = [&](const Tensor& hidden) {
    decoded.attended =
        (*attention_)(hidden, memory.keys, memory.annotations, rows.queries, earlier.seen, masks.draw);
    decoded.context = decoded.attended.context;
  };
  Tensor gates = projected;
  if (asks(QueryPlacement::before)) {
    look(decoder_.back().cell.hidden(states.back()));
    gates = add_dropout(gates, linear(decoded.context, feed_weight_, {}), {});
  } else if (earlier.found) {
    gates = add_dropout(gates, linear(earlier.found, feed_weight_, {}), {});
  } else if (feeds_summary()) {
    gates = add_dropout(gates, take_rows(memory.fed, rows.sentences), {});
    decoded.context = take_rows(memory.summary, rows.sentences);
  }
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const Layer& layer = decoder_[i];
    if (i > 0) gates = layer.cell.project(decoded.top);
    states[i] = layer.cell.run(gates, states[i], rows.steps);
    if (i == 0 && transition_) {
      look(layer.cell.hidden(states[i]));
      states[i] = transition_->run(transition_->project(decoded.context), states[i], rows.steps);
    }
    decoded.top = layer.result(decoded.top, layer.cell.hidden(states[i]), masks.decoder[i], rows.numbers);
  }
  if (asks(QueryPlacement::after)) look(decoded.top);
  return decoded;
}

Tensor RecurrentTranslator::read_out(const Decoded& decoded, const Tensor& tokens,
                                     const std::vector<int>& numbers, const RecurrentMasks& masks) const {
  std::vector<Tensor> parts{decoded.top};
  if (decoded.context) parts.push_back(decoded.context);
  if (attends() && !asks(QueryPlacement::after)) parts.push_back(tokens);
  return dropout(tanh((*readout_)(join_columns(parts))), masks.output, numbers);
}

Tensor RecurrentTranslator::decode(const PackedRows& source, const PackedRows& target,
                                   std::span<const TokenId> inputs, const RecurrentMasks& masks) const {
  expects(source.sentences() == target.sentences(), "a batch with ", source.sentences(), " source rows and ",
          target.sentences(), " target rows");
  const Memory memory = encode(source, masks);
  const Tensor tokens =
      embed_tokens(target_table_, inputs, settings_, masks.target, mask_numbers(target, settings_));
  return needs_steps() ? decode_in_steps(memory, source, target, tokens, masks)
                       : decode_at_once(memory, source, target, tokens, masks);
}

Tensor RecurrentTranslator::decode_at_once(const Memory& memory, const PackedRows& source,
                                           const PackedRows& target, const Tensor& tokens,
                                           const RecurrentMasks& masks) const {
  const SequenceOrder order(target.starts);
  Rows rows{order.forwards(),
            {target.spans_to(source), target.places},
            std::vector<int>(target.tokens.size(), -1),
            mask_numbers(target, settings_)};
  for (int s = 0; s < target.sentences(); ++s) {
    std::fill_n(rows.sentences.begin() + target.start(s), target.length(s), s);
  }
  std::vector<Tensor> states = first_states(memory, order.sequences());
  const Decoded decoded = run_layers(decoder_.front().cell.project(tokens), {}, states, memory, rows, masks);
  return read_out(decoded, tokens, rows.numbers, masks);
}

Tensor RecurrentTranslator::nothing_seen(const std::vector<AttentionSpan>& spans) const {
  std::int64_t pairs = 0;
  for (const AttentionSpan& span : spans) pairs += std::int64_t{span.query_count} * span.key_count;
  return Tensor::zeros({pairs * sizes_.heads});
}

Tensor RecurrentTranslator::decode_in_steps(const Memory& memory, const PackedRows& source,
                                            const PackedRows& target, const Tensor& tokens,
                                            const RecurrentMasks& masks) const {
  const SequenceOrder order(target.starts);
  const auto steps = order.forwards();
  const std::vector<int> numbers = mask_numbers(target, settings_);
  const Tensor projected = decoder_.front().cell.project(tokens);

  std::vector<int> sequences = order.sequences();
  sequences.resize(padded_rows(sequences.size()), -1);
  std::vector<Tensor> states = first_states(memory, sequences);
  Earlier earlier;
  std::vector<Tensor> tops, contexts, results;
  std::vector<std::vector<int>> places;
  auto place = steps->rows.begin();
  for (const int count : steps->counts) {
    places.emplace_back(place, place + count);
    place += count;
    const std::vector<int>& packed = places.back();
    std::vector<int> at = packed;
    at.resize(padded_rows(at.size()), -1);
    if (static_cast<std::int64_t>(at.size()) < states.front().rows()) {  // some sentences have ended
      std::vector<int> kept(at.size());
      std::iota(kept.begin(), kept.end(), 0);
      for (Tensor& state : states) state = take_rows(state, kept);
      if (earlier.found) earlier.found = take_rows(earlier.found, kept);
    }
    Rows rows;
    rows.steps = one_step(count);
    for (int i = 0; i < count; ++i) {
      const int sentence = order.sequences()[index(i)];
      rows.queries.spans.push_back({i, 1, source.start(sentence), source.length(sentence)});
    }
    if (settings_.coverage && !earlier.seen) earlier.seen = nothing_seen(rows.queries.spans);
    rows.queries.places.assign(at.size(), static_cast<int>(places.size()) - 1);
    for (const int row : at) rows.numbers.push_back(row < 0 ? 0 : numbers[index(row)]);
    const Decoded decoded = run_layers(take_rows(projected, at), earlier, states, memory, rows, masks);
    if (settings_.coverage) earlier.seen = add_prefix(earlier.seen, decoded.attended.weights);
    if (settings_.input_feeding) {
      earlier.found = read_out(decoded, {}, rows.numbers, masks);
      results.push_back(earlier.found);
    } else {
      tops.push_back(decoded.top);
      contexts.push_back(decoded.context);
    }
  }
  const auto all = static_cast<std::int64_t>(target.tokens.size());
  if (settings_.input_feeding) return put_rows(results, std::move(places), all);
  const Decoded whole{put_rows(tops, places, all), put_rows(contexts, places, all), {}};
  return read_out(whole, tokens, numbers, masks);
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
    top_vocabulary_scores(take_rows(hidden, std::move(rows)), output_weight_, count, {}, best);
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
  const std::vector<float> drawn = target_log_probabilities(hidden, output_weight_, {}, target.tokens),
                           usual = target_log_probabilities(expected, output_weight_, {}, target.tokens);
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
  const Tensor hidden = decode(source, target, inputs, masks);
  const std::vector<float> weights = token_weights(batch, target.tokens.size());
  if (masks.draw != nullptr) reward(masks, source, target, inputs, hidden, weights);
  return loss_of(hidden, target.tokens, weights, batch, regularization);
}

Tensor RecurrentTranslator::states(const TokenRows& rows) const {
  const PackedRows source = pack_source(rows, kDecodingRows);
  const Tensor read = encode(source, RecurrentMasks(sizes_, settings_, nullptr)).annotations;
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

std::vector<float> RecurrentTranslator::log_probabilities(const Batch& batch) const {
  const PackedRows source = pack_source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  const Tensor hidden =
      decode(source, target, target.shifted(vocabulary_.begin), RecurrentMasks(sizes_, settings_, nullptr));
  std::vector<float> all = target_log_probabilities(hidden, output_weight_, Tensor(), target.tokens);
  all.resize(batch.target.tokens.size());
  return all;
}

}  // namespace gloss
