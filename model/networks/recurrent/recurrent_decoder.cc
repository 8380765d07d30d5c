// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_decoder.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/step_rows.h"

namespace gloss {

RecurrentDecoder::RecurrentDecoder(Parameters& parameters, const NetworkSizes& sizes,
                                   const RecurrentSettings& settings, std::int64_t source_width)
    : sizes_(sizes), settings_(settings) {
  const std::int64_t embedding = settings.embedding_width, width = sizes.width;
  const std::optional<NormKind> norm = settings.norm_of_products();
  if (settings.attention != AttentionScore::none) {
    attention_.emplace(parameters, "attention", settings, sizes.heads, width, source_width);
  }
  for (int i = 0; i < sizes.decoder_layers; ++i) {
    const std::string name = concat("decoder.", i);
    const bool between = asks(QueryPlacement::between);
    const int transitions = i > 0 ? settings.upper_transitions : between ? 0 : settings.decoder_transitions;
    RecurrentLayer cell(parameters, name, settings.cells(transitions), i == 0 ? embedding : width, width);
    std::optional<NormedLinear> first_state;
    if (settings.first_state != FirstState::zero) {
      const std::int64_t state = state_parts(settings.cell) * width;
      first_state.emplace(parameters, name + ".first_state", NormedLinear::Widths{source_width, state},
                          xavier_uniform(source_width, width), norm);
    }
    layers_.push_back(
        {std::move(cell), std::move(first_state), LayerResult(parameters, name, settings, i == 0, width)});
  }
  if (asks(QueryPlacement::between)) {
    transition_.emplace(parameters, "decoder.transition", settings.cells(settings.decoder_transitions),
                        source_width, width);
  }
  const bool before = asks(QueryPlacement::before);
  if (before || settings.input_feeding || feeds_summary()) {
    const std::int64_t fed = settings.input_feeding ? embedding : source_width;
    feed_weight_ = parameters.declare("decoder.feed.weight", {gates_of(settings.cell) * width, fed},
                                      xavier_uniform(fed, width), Role::matrix);
  }
  declare_readout(parameters, source_width);
}

void RecurrentDecoder::declare_readout(Parameters& parameters, std::int64_t source_width) {
  const std::int64_t embedding = settings_.embedding_width;
  const std::optional<NormKind> norm = settings_.norm_of_products();
  const auto add = [&](const std::string& name, std::int64_t in) {
    readout_.emplace_back(parameters, name, NormedLinear::Widths{in, embedding},
                          xavier_uniform(in, embedding), norm);
  };
  const std::int64_t context = attends() || feeds_summary() ? source_width : 0,
                     token = attends() && !asks(QueryPlacement::after) ? embedding : 0;
  if (!norm) return add("readout", sizes_.width + context + token);
  add("readout.state", sizes_.width);
  if (context > 0) add("readout.context", context);
  if (token > 0) add("readout.token", token);
}

RecurrentStates RecurrentDecoder::memory(const EncodedSource& source) const {
  RecurrentStates memory{source.annotations, {}, {}, source.summary};
  if (attends()) memory.keys = attention_->keys(memory.annotations);
  if (feeds_summary()) memory.fed = linear(memory.summary, feed_weight_, {});
  return memory;
}

std::vector<Tensor> RecurrentDecoder::first_states(const RecurrentStates& memory,
                                                   const std::vector<int>& sentences) const {
  std::vector<Tensor> states;
  for (const Layer& layer : layers_) {
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

DecodedRows RecurrentDecoder::run(const Tensor& projected, const EarlierSteps& earlier,
                                  std::vector<Tensor>& states, const RecurrentStates& memory,
                                  const DecoderRows& rows, const RecurrentMasks& masks) const {
  DecodedRows decoded;
  const auto look = [&](const Tensor& hidden) {
    decoded.attended =
        (*attention_)(hidden, memory.keys, memory.annotations, rows.queries, earlier.seen, masks.draw);
    decoded.context = decoded.attended.context;
  };
  Tensor gates = projected;
  if (asks(QueryPlacement::before)) {
    look(layers_.back().cell.hidden(states.back()));
    gates = add_dropout(gates, linear(decoded.context, feed_weight_, {}), {});
  } else if (earlier.found) {
    gates = add_dropout(gates, linear(earlier.found, feed_weight_, {}), {});
  } else if (feeds_summary()) {
    gates = add_dropout(gates, take_rows(memory.fed, rows.sentences), {});
    decoded.context = take_rows(memory.summary, rows.sentences);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
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

Tensor RecurrentDecoder::read_out(const DecodedRows& decoded, const Tensor& tokens,
                                  const std::vector<int>& numbers, const RecurrentMasks& masks) const {
  std::vector<Tensor> parts{decoded.top};
  if (decoded.context) parts.push_back(decoded.context);
  if (attends() && !asks(QueryPlacement::after)) parts.push_back(tokens);
  if (readout_.size() < parts.size()) {
    return dropout(tanh(readout_.front()(join_columns(parts))), masks.output, numbers);
  }
  Tensor sum = readout_.front()(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) sum = add_dropout(sum, readout_[i](parts[i]), {});
  return dropout(tanh(sum), masks.output, numbers);
}

Tensor RecurrentDecoder::operator()(const RecurrentStates& memory, const TaughtRows& taught,
                                    const Tensor& tokens, const RecurrentMasks& masks) const {
  const bool steps =
      settings_.input_feeding || settings_.coverage || (attends() && !asks(QueryPlacement::after));
  return steps ? decode_in_steps(memory, taught, tokens, masks)
               : decode_at_once(memory, taught, tokens, masks);
}

Tensor RecurrentDecoder::decode_at_once(const RecurrentStates& memory, const TaughtRows& taught,
                                        const Tensor& tokens, const RecurrentMasks& masks) const {
  const PackedRows& target = taught.target;
  const SequenceOrder order(target.starts);
  DecoderRows rows{order.forwards(),
                   {target.spans_to(taught.source), target.places},
                   std::vector<int>(target.tokens.size(), -1),
                   mask_numbers(target, settings_)};
  for (int s = 0; s < target.sentences(); ++s) {
    std::fill_n(rows.sentences.begin() + target.start(s), target.length(s), s);
  }
  std::vector<Tensor> states = first_states(memory, order.sequences());
  const DecodedRows decoded = run(layers_.front().cell.project(tokens), {}, states, memory, rows, masks);
  if (taught.guided != nullptr) {
    taught.guided->push_back({decoded.attended.weights, rows.queries.spans, sizes_.heads});
  }
  return read_out(decoded, tokens, rows.numbers, masks);
}

Tensor RecurrentDecoder::nothing_seen(const std::vector<AttentionSpan>& spans) const {
  std::int64_t pairs = 0;
  for (const AttentionSpan& span : spans) pairs += std::int64_t{span.query_count} * span.key_count;
  return Tensor::zeros({pairs * sizes_.heads});
}

Tensor RecurrentDecoder::decode_in_steps(const RecurrentStates& memory, const TaughtRows& taught,
                                         const Tensor& tokens, const RecurrentMasks& masks) const {
  const PackedRows &source = taught.source, &target = taught.target;
  const SequenceOrder order(target.starts);
  const auto steps = order.forwards();
  const std::vector<int> numbers = mask_numbers(target, settings_);
  const Tensor projected = layers_.front().cell.project(tokens);

  std::vector<int> sequences = order.sequences();
  sequences.resize(padded_rows(sequences.size()), -1);
  std::vector<Tensor> states = first_states(memory, sequences);
  EarlierSteps earlier;
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
    DecoderRows rows;
    rows.steps = one_step(count);
    for (int i = 0; i < count; ++i) {
      const int sentence = order.sequences()[index(i)];
      rows.queries.spans.push_back({i, 1, source.start(sentence), source.length(sentence)});
    }
    if (settings_.coverage && !earlier.seen) earlier.seen = nothing_seen(rows.queries.spans);
    rows.queries.places.assign(at.size(), static_cast<int>(places.size()) - 1);
    for (const int row : at) rows.numbers.push_back(row < 0 ? 0 : numbers[index(row)]);
    const DecodedRows decoded = run(take_rows(projected, at), earlier, states, memory, rows, masks);
    if (taught.guided != nullptr) {
      TargetAttention looked{decoded.attended.weights, rows.queries.spans, sizes_.heads};
      for (int i = 0; i < count; ++i) looked.spans[index(i)].query_start = packed[index(i)];
      taught.guided->push_back(std::move(looked));
    }
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
  const DecodedRows whole{put_rows(tops, places, all), put_rows(contexts, places, all), {}};
  return read_out(whole, tokens, numbers, masks);
}

}  // namespace gloss
