// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_attention.h"

#include <cmath>

#include "base/error.h"
#include "model/layers/initialisers.h"

namespace gloss {

RecurrentAttention::RecurrentAttention(Parameters& parameters, const std::string& name,
                                       const RecurrentSettings& settings, int heads, std::int64_t query_width,
                                       std::int64_t memory_width)
    : window_(settings.window), shape_{heads, 1.0f} {
  const std::int64_t width = settings.attention_width > 0 ? settings.attention_width : query_width;
  if (window_ != AttentionWindow::none) shape_.window.reach = static_cast<float>(settings.window_reach);
  if (window_ == AttentionWindow::predictive) {
    window_inner_.emplace(parameters, name + ".window.inner", query_width, query_width,
                          xavier_uniform(query_width, query_width));
    window_centre_.emplace(parameters, name + ".window.centre", query_width, 1,
                           xavier_uniform(query_width, query_width));
  }
  if (settings.coverage) {
    coverage_ = parameters.declare(name + ".coverage", {width}, normal_values(0.1));
  }
  const auto matrix = [&](const char* part, std::int64_t in) {
    return parameters.declare(name + part, {width, in}, xavier_uniform(in, width), Role::matrix);
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
      key_bias_ = parameters.declare(name + ".key.bias", {width}, constant_values(0));
      vector_ = parameters.declare(name + ".vector", {width},
                                   normal_values(1.0 / std::sqrt(static_cast<double>(width / heads))));
      break;
  }
  const std::optional<NormKind> norm = settings.norm_of_products();
  if (norm && query_weight_) query_norm_.emplace(parameters, name + ".query.norm", width, *norm);
  if (norm && key_weight_) key_norm_.emplace(parameters, name + ".key.norm", width, *norm);
}

Tensor RecurrentAttention::keys(const Tensor& annotations) const {
  const Tensor keys = key_weight_ ? linear(annotations, key_weight_, key_bias_) : annotations;
  return key_norm_ ? (*key_norm_)(keys) : keys;
}

Attended RecurrentAttention::operator()(const Tensor& hidden, const Tensor& keys, const Tensor& annotations,
                                        const QueryRows& rows, const Tensor& seen,
                                        std::shared_ptr<const KeyDraw> draw) const {
  Tensor queries = query_weight_ ? linear(hidden, query_weight_, {}) : hidden;
  if (query_norm_) queries = (*query_norm_)(queries);
  ScoreShape shape = shape_;
  shape.draw = std::move(draw);
  if (seen) shape.coverage = {seen, coverage_};
  if (window_ == AttentionWindow::monotonic) shape.window.places = rows.places;
  if (window_centre_) shape.window.predicted = (*window_centre_)(tanh((*window_inner_)(hidden)));
  return attend(queries, keys, annotations, vector_, rows.spans, shape);
}

}  // namespace gloss
