// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_encoder.h"

#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/step_rows.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

/// Pairs of adjacent rows of each sentence side by side, for the rows that are half as many: [T, 2 width].
/// Zeros follow a row without a second one.
Tensor joined_pairs(const Tensor& x, const PackedRows& rows, const PackedRows& halves) {
  std::vector<int> numbers(2 * halves.tokens.size(), -1);
  for (int s = 0; s < rows.sentences(); ++s) {
    const auto first = numbers.begin() + std::ptrdiff_t{2} * halves.start(s);
    std::iota(first, first + rows.length(s), rows.start(s));
  }
  return joined_rows(x, std::move(numbers), 2);
}

/// The output of a layer for all rows.
Tensor output_of(const RecurrentLayer& layer, const Tensor& x, std::shared_ptr<const RecurrentSteps> steps) {
  return layer.hidden(layer.run(layer.project(x), {}, std::move(steps)));
}

}  // namespace

bool adds_directions(const RecurrentSettings& settings) {
  return settings.bidirectional &&
         (settings.attention == AttentionScore::dot || settings.attention == AttentionScore::scaled_dot);
}

RecurrentEncoder::RecurrentEncoder(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                                   const RecurrentSettings& settings, std::int64_t input_width,
                                   bool summarises)
    : settings_(settings),
      summarises_(summarises),
      added_(adds_directions(settings)),
      exchanged_(settings.encoder_stack == EncoderStack::alternating && sizes.encoder_layers % 2 == 0),
      width_(input_width) {
  for (int i = 0; i < sizes.encoder_layers; ++i) add_layer(parameters, concat(name, ".", i), sizes);
  if (settings.stacks_are_separate() && !added_ && !layers_.empty()) width_ *= 2;
}

void RecurrentEncoder::add_layer(Parameters& parameters, const std::string& name, const NetworkSizes& sizes) {
  const bool first = layers_.empty(), separate = settings_.stacks_are_separate(),
             both = settings_.bidirectional && (first || settings_.encoder_stack != EncoderStack::first);
  const bool reads_pairs =
      static_cast<int>(layers_.size()) >= sizes.encoder_layers - settings_.pyramid_layers;
  if (reads_pairs) width_ *= 2;
  const CellKind cells = settings_.cells(settings_.encoder_transitions);
  RecurrentLayer forwards(parameters, name + ".forwards", cells, width_, sizes.width);
  std::optional<RecurrentLayer> backwards;
  if (both) backwards.emplace(parameters, name + ".backwards", cells, width_, sizes.width);
  // A layer of another width than the one below cannot have a residual connection.
  const std::int64_t width = sizes.width * (both && !separate && !added_ ? 2 : 1);
  const bool plain = first || width != width_;
  width_ = width;
  if (!separate) {
    layers_.push_back({std::move(forwards), std::move(backwards),
                       LayerResult(parameters, name, settings_, plain, width), std::nullopt, reads_pairs});
    return;
  }
  LayerResult result(parameters, name + ".forwards", settings_, plain, width);
  layers_.push_back({std::move(forwards), std::move(backwards), std::move(result),
                     LayerResult(parameters, name + ".backwards", settings_, plain, width)});
}

Tensor RecurrentEncoder::merged(const Tensor& forwards, const Tensor& backwards) const {
  if (!backwards) return forwards;
  if (added_) return add_dropout(forwards, backwards, {});
  const Tensor parts[] = {forwards, backwards};
  return join_columns(parts);
}

Tensor RecurrentEncoder::summary(const PackedRows& source, const Tensor& annotations,
                                 const Tops& tops) const {
  const std::size_t rows = padded_rows(index(source.sentences()));
  if (settings_.first_state == FirstState::mean) {
    // Attention with equal scores is a mean.
    std::vector<AttentionSpan> spans;
    for (int s = 0; s < source.sentences(); ++s) spans.push_back({s, 1, source.start(s), source.length(s)});
    const Tensor nothing = Tensor::zeros({static_cast<std::int64_t>(rows), width_}, annotations.dtype());
    return attend(nothing, annotations.without_gradient(), annotations, {}, std::move(spans), {1, 0.0f})
        .context;
  }
  std::vector<int> first(rows, -1), last(rows, -1);
  for (int s = 0; s < source.sentences(); ++s) {
    first[index(s)] = source.start(s);
    last[index(s)] = source.start(s + 1) - 1;
  }
  if (exchanged_) std::swap(first, last);
  return merged(take_rows(tops.forwards, last), tops.backwards ? take_rows(tops.backwards, first) : Tensor());
}

RecurrentEncoder::Directions::Directions(const PackedRows& rows) {
  const SequenceOrder order(rows.starts);
  to_the_end = order.forwards();
  to_the_start = order.backwards();
}

Tensor RecurrentEncoder::run_joined(const Tensor& embedded, PackedRows& rows, const RecurrentMasks& masks,
                                    Tops& tops) const {
  Tensor x = embedded;
  std::optional<Directions> directions;
  std::vector<int> numbers;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    if (layer.reads_pairs) {
      PackedRows halves = rows.halved();
      x = joined_pairs(x, rows, halves);
      rows = std::move(halves);
      directions.reset();
    }
    if (!directions) {
      directions.emplace(rows);
      numbers = mask_numbers(rows, settings_);
    }
    tops = {output_of(layer.forwards, x, directions->to_the_end),
            layer.backwards ? output_of(*layer.backwards, x, directions->to_the_start) : Tensor()};
    x = layer.result(x, merged(tops.forwards, tops.backwards), masks.encoder[i], numbers);
  }
  return x;
}

Tensor RecurrentEncoder::run_stacks(const Tensor& embedded, const PackedRows& rows,
                                    const RecurrentMasks& masks, Tops& tops) const {
  const bool alternates = settings_.encoder_stack == EncoderStack::alternating;
  const std::vector<int> numbers = mask_numbers(rows, settings_);
  Directions now(rows);
  Tensor x = embedded, y = embedded;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    tops = {output_of(layer.forwards, x, now.to_the_end), output_of(*layer.backwards, y, now.to_the_start)};
    x = layer.result(x, tops.forwards, masks.encoder[i], numbers);
    y = (*layer.backwards_result)(y, tops.backwards, masks.backwards[i], numbers);
    if (alternates) std::swap(now.to_the_end, now.to_the_start);
  }
  return merged(x, y);
}

EncodedSource RecurrentEncoder::operator()(const Tensor& embedded, const PackedRows& source,
                                           const RecurrentMasks& masks) const {
  Tops tops;
  PackedRows rows = source;
  const Tensor read = settings_.stacks_are_separate() && !layers_.empty()
                          ? run_stacks(embedded, rows, masks, tops)
                          : run_joined(embedded, rows, masks, tops);
  const Tensor summarised = summarises_ ? summary(rows, read, tops) : Tensor();
  return {read, summarised, std::move(rows)};
}

}  // namespace gloss
