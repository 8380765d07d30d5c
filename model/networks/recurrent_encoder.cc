// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent_encoder.h"

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/recurrent_rows.h"

namespace gloss {

bool adds_directions(const RecurrentSettings& settings) {
  return settings.bidirectional &&
         (settings.attention == AttentionScore::dot || settings.attention == AttentionScore::scaled_dot);
}

RecurrentEncoder::RecurrentEncoder(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                                   const RecurrentSettings& settings, bool summarises)
    : settings_(settings),
      summarises_(summarises),
      added_(adds_directions(settings)),
      width_(sizes.width * (settings.bidirectional && !added_ ? 2 : 1)) {
  for (int i = 0; i < sizes.encoder_layers; ++i) {
    const std::string layer = concat(name, ".", i);
    const std::int64_t in = i == 0 ? settings.embedding_width : width_;
    RecurrentLayer forwards(parameters, layer + ".forwards", settings.cell, in, sizes.width);
    std::optional<RecurrentLayer> backwards;
    if (settings.bidirectional) {
      backwards.emplace(parameters, layer + ".backwards", settings.cell, in, sizes.width);
    }
    layers_.push_back({std::move(forwards), std::move(backwards),
                       LayerResult(parameters, layer, settings, i == 0, width_)});
  }
}

Tensor RecurrentEncoder::merged(const Tensor& forwards, const Tensor& backwards) const {
  if (!backwards) return forwards;
  if (added_) return add_dropout(forwards, backwards, {});
  const Tensor parts[] = {forwards, backwards};
  return join_columns(parts);
}

Tensor RecurrentEncoder::summary(const PackedRows& source, const Tensor& annotations, const Tensor& forwards,
                                 const Tensor& backwards) const {
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
  return merged(take_rows(forwards, last), backwards ? take_rows(backwards, first) : Tensor());
}

EncodedSource RecurrentEncoder::operator()(const Tensor& embedded, const PackedRows& source,
                                           const RecurrentMasks& masks) const {
  const SequenceOrder order(source.starts);
  const auto to_the_end = order.forwards(), to_the_start = order.backwards();
  const std::vector<int> numbers = mask_numbers(source, settings_);
  Tensor x = embedded, forwards, backwards;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    forwards = layer.forwards.hidden(layer.forwards.run(layer.forwards.project(x), {}, to_the_end));
    if (layer.backwards) {
      backwards =
          layer.backwards->hidden(layer.backwards->run(layer.backwards->project(x), {}, to_the_start));
    }
    x = layer.result(x, merged(forwards, backwards), masks.encoder[i], numbers);
  }
  return {x, summarises_ ? summary(source, x, forwards, backwards) : Tensor()};
}

}  // namespace gloss
