#include "model/networks/recurrent_parts.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/rounding.h"

namespace gloss {
namespace {

double on_target(const RecurrentSettings& settings, double rate) {
  return settings.dropout_layers == DropoutLayers::all ? rate : 0;
}

}  // namespace

RecurrentMasks::RecurrentMasks(const NetworkSizes& sizes, const RecurrentSettings& settings, Random* random)
    : source(dropout_mask(sizes.embedding_dropout, random)),
      target(dropout_mask(on_target(settings, sizes.embedding_dropout), random)),
      output(dropout_mask(settings.output_dropout, random)) {
  for (int i = 0; i < sizes.encoder_layers; ++i) encoder.push_back(dropout_mask(sizes.dropout, random));
  for (int i = 0; i < sizes.decoder_layers; ++i) {
    decoder.push_back(dropout_mask(on_target(settings, sizes.dropout), random));
  }
  if (settings.selection == AttentionSelection::hard) {
    draw = std::make_shared<const KeyDraw>(KeyDraw{random, std::make_shared<std::vector<float>>()});
  }
}

std::vector<int> mask_numbers(const PackedRows& rows, const RecurrentSettings& settings) {
  std::vector<int> numbers(rows.tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int s = 0; settings.variational_dropout && s < rows.sentences(); ++s) {
    std::fill_n(numbers.begin() + rows.start(s), rows.length(s), s);
  }
  return numbers;
}

Tensor embed_tokens(const Tensor& table, std::span<const TokenId> tokens, const RecurrentSettings& settings,
                    const DropoutMask& mask, const std::vector<int>& numbers) {
  const std::vector<int> places(tokens.size(), 0);
  const float scale = settings.scale_embeddings ? std::sqrt(static_cast<float>(table.columns())) : 1.0f;
  return dropout(embed(table, {}, tokens, places, scale, {}), mask, numbers);
}

std::size_t padded_rows(std::size_t rows) { return round_up(rows, kDecodingRows); }

std::shared_ptr<const RecurrentSteps> one_step(int count) {
  RecurrentSteps step{{count}, std::vector<int>(static_cast<std::size_t>(count))};
  std::iota(step.rows.begin(), step.rows.end(), 0);
  return std::make_shared<const RecurrentSteps>(std::move(step));
}

LayerResult::LayerResult(Parameters& parameters, const std::string& name, const RecurrentSettings& settings,
                         bool first, std::int64_t width)
    : residual_(settings.residual && !first) {
  if (settings.layer_norm) norm_.emplace(parameters, name + ".norm", width);
}

Tensor LayerResult::operator()(const Tensor& read, const Tensor& given, const DropoutMask& mask,
                               const std::vector<int>& numbers) const {
  const Tensor kept = dropout(given, mask, numbers);
  if (residual_ && norm_) return norm_->of_sum(read, kept, {});
  if (residual_) return add_dropout(read, kept, {});
  return norm_ ? (*norm_)(kept) : kept;
}

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
  const std::size_t rows = padded_rows(static_cast<std::size_t>(source.sentences()));
  if (settings_.first_state == FirstState::mean) {
    // Attention to what scores alike everywhere is a mean.
    std::vector<AttentionSpan> spans;
    for (int s = 0; s < source.sentences(); ++s) spans.push_back({s, 1, source.start(s), source.length(s)});
    const Tensor nothing = Tensor::zeros({static_cast<std::int64_t>(rows), width_}, annotations.dtype());
    return attend(nothing, annotations.without_gradient(), annotations, {}, std::move(spans), {1, 0.0f})
        .context;
  }
  std::vector<int> first(rows, -1), last(rows, -1);
  for (int s = 0; s < source.sentences(); ++s) {
    first[static_cast<std::size_t>(s)] = source.start(s);
    last[static_cast<std::size_t>(s)] = source.start(s + 1) - 1;
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

RecurrentAttention::RecurrentAttention(Parameters& parameters, const std::string& name,
                                       const RecurrentSettings& settings, int heads, std::int64_t query_width,
                                       std::int64_t memory_width)
    : window_(settings.window), shape_{heads, 1.0f} {
  if (window_ != AttentionWindow::none) shape_.window.reach = static_cast<float>(settings.window_reach);
  if (window_ == AttentionWindow::predictive) {
    window_inner_.emplace(parameters, name + ".window.inner", query_width, query_width,
                          xavier_uniform(query_width, query_width));
    window_centre_.emplace(parameters, name + ".window.centre", query_width, 1,
                           xavier_uniform(query_width, query_width));
  }
  if (settings.coverage) {
    coverage_ = parameters.declare(name + ".coverage", {query_width}, normal_values(0.1));
  }
  const auto matrix = [&](const char* part, std::int64_t in) {
    return parameters.declare(name + part, {query_width, in}, xavier_uniform(in, query_width), Role::matrix);
  };
  switch (settings.attention) {
    case AttentionScore::none:
      throw BrokenPromise("an attention without scores");
    case AttentionScore::dot:
      break;
    case AttentionScore::scaled_dot:
      shape_.scale = 1.0f / std::sqrt(static_cast<float>(query_width / heads));
      break;
    case AttentionScore::general:
      key_weight_ = matrix(".key.weight", memory_width);
      break;
    case AttentionScore::additive:
      query_weight_ = matrix(".query.weight", query_width);
      key_weight_ = matrix(".key.weight", memory_width);
      key_bias_ = parameters.declare(name + ".key.bias", {query_width}, constant_values(0));
      vector_ = parameters.declare(name + ".vector", {query_width},
                                   normal_values(1.0 / std::sqrt(static_cast<double>(query_width / heads))));
      break;
  }
}

Tensor RecurrentAttention::keys(const Tensor& annotations) const {
  return key_weight_ ? linear(annotations, key_weight_, key_bias_) : annotations;
}

Attended RecurrentAttention::operator()(const Tensor& hidden, const Tensor& keys, const Tensor& annotations,
                                        const QueryRows& rows, const Tensor& seen,
                                        std::shared_ptr<const KeyDraw> draw) const {
  const Tensor queries = query_weight_ ? linear(hidden, query_weight_, {}) : hidden;
  ScoreShape shape = shape_;
  shape.draw = std::move(draw);
  if (seen) shape.coverage = {seen, coverage_};
  if (window_ == AttentionWindow::monotonic) shape.window.places = rows.places;
  if (window_centre_) shape.window.predicted = (*window_centre_)(tanh((*window_inner_)(hidden)));
  return attend(queries, keys, annotations, vector_, rows.spans, shape);
}

}  // namespace gloss
