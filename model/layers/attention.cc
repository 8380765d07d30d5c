// SPDX-License-Identifier: Apache-2.0

#include "model/layers/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

/// The number of queries, keys and values that are projected from one row.
std::int64_t projected_width(const AttentionSizes& sizes) {
  return sizes.heads.width() + 2 * sizes.heads.key_value_width();
}

/// Initialises all projections of an attention like parts of a single matrix [projected width, width].
Initialiser projection(const AttentionSizes& sizes) {
  return xavier_uniform(sizes.width, projected_width(sizes));
}

/// The same, with queries so small that scores start as if they were divided by the square root of the head
/// width, also if they are not.
Initialiser query_projection(const AttentionSizes& sizes) {
  const AttentionHeads& heads = sizes.heads;
  const double factor = 1 / (std::sqrt(static_cast<double>(heads.head_width)) * heads.scale);
  if (std::abs(factor - 1) < 1e-6) return projection(sizes);
  return [factor, numbers = index(heads.width() * sizes.width), initialise = projection(sizes)](
             std::span<float> values, Random& random) {
    initialise(values, random);
    for (float& value : values.first(numbers)) value = static_cast<float>(value * factor);
  };
}

/// The initialiser, with other values of the last rows, those of values, of a projection.
Initialiser with_values_scaled(Initialiser initialise, const AttentionSizes& sizes, double scale) {
  if (scale == 1) return initialise;
  return [initialise = std::move(initialise), scale,
          numbers = index(sizes.heads.key_value_width() * sizes.width)](std::span<float> values,
                                                                        Random& random) {
    initialise(values, random);
    for (float& value : values.last(numbers)) value = static_cast<float>(value * scale);
  };
}

/// The gains of the heads of these kinds, if the sizes have a norm.
std::optional<HeadGains> head_gains(Parameters& parameters, const std::string& name,
                                    const AttentionSizes& sizes, bool queries, bool keys) {
  if (!sizes.query_key_norm) return std::nullopt;
  const AttentionHeads& heads = sizes.heads;
  const auto gain = [&](const std::string& of, double value) {
    return parameters.declare(concat(name, of, ".weight"), {heads.head_width},
                              constant_values(static_cast<float>(value)));
  };
  HeadGains gains;
  gains.epsilon = static_cast<float>(sizes.norm_epsilon);
  // Scores start as if they were divided by the square root of the head width, also if they are not.
  const double of_queries = 1 / (std::sqrt(static_cast<double>(heads.head_width)) * double{heads.scale});
  if (queries) {
    gains.queries = heads.heads;
    gains.query = gain(".query_norm", std::abs(of_queries - 1) < 1e-6 ? 1 : of_queries);
  }
  if (keys) {
    gains.keys = heads.key_value_heads;
    gains.key = gain(".key_norm", 1);
  }
  return gains;
}

/// The rows [T, columns] with their heads normalised, if there are gains.
Tensor normed(const Tensor& x, const std::optional<HeadGains>& gains) {
  return gains ? norm_heads(x, *gains) : x;
}

Tensor attend_to(const Tensor& queries, const KeysValues& seen, const AttentionShape& shape) {
  if (seen.packed) return attention(queries, seen.packed, *seen.spans, shape);
  return attend_rows(queries, *seen.rows, shape.heads, shape.distances);
}

/// The scores of distances that are multiples of `stride`.
Tensor distances_of(const AttentionPositions& positions, int stride) {
  if (!positions.distances || stride == 1) return positions.distances;
  const auto reach = static_cast<int>((positions.distances.columns() - 1) / 2),
             steps = (reach - 1) / stride + 1;
  std::vector<int> columns;
  for (int step = -steps; step <= steps; ++step)
    columns.push_back(std::clamp(step * stride, -reach, reach) + reach);
  return gather_columns(positions.distances, std::move(columns));
}

/// Attention of rows to those of the same sentence at distances that are multiples of `stride`: those of the
/// same remainder, which are put next to each other.
Tensor strided_attention(const Tensor& projected, const std::vector<AttentionSpan>& sentences,
                         const AttentionShape& shape, int stride) {
  std::vector<int> rows, places(index(projected.rows()), -1);
  std::vector<AttentionSpan> spans;
  for (const AttentionSpan& sentence : sentences) {
    for (int first = 0; first < std::min(stride, sentence.query_count); ++first) {
      const auto start = static_cast<int>(rows.size());
      for (int i = first; i < sentence.query_count; i += stride) {
        places[index(sentence.query_start + i)] = static_cast<int>(rows.size());
        rows.push_back(sentence.query_start + i);
      }
      const int count = static_cast<int>(rows.size()) - start;
      spans.push_back({start, count, start, count});
    }
  }
  rows.resize(places.size(), -1);
  const Tensor ordered = take_rows(projected, rows);
  return take_rows(attention(ordered, ordered, std::move(spans), shape), places);
}

std::optional<Linear> output_of(Parameters& parameters, const std::string& name, const AttentionSizes& sizes,
                                double scale) {
  if (!sizes.projects_output) return std::nullopt;
  const std::int64_t width = sizes.heads.width();
  return Linear(parameters, name + ".output", width, sizes.width,
                scaled(xavier_uniform(width, sizes.width), scale), sizes.linear_bias);
}

Tensor projected(const std::optional<Linear>& output, const Tensor& x) { return output ? (*output)(x) : x; }

/// The first positions of rows get their own values, which they attend to alone.
void take_own_values(const Tensor& projected, const Past& past, const Tensor& context) {
  const std::size_t bytes = index(context.columns()) * size_of(context.dtype()),
                    all = index(projected.columns()) * size_of(projected.dtype());
  for (std::size_t i = 0; i < past.latest().size(); ++i) {
    if (past.latest()[i].before > 0) continue;
    const auto row = static_cast<std::int64_t>(i);
    const auto* const values = static_cast<const char*>(projected.raw_row(row)) + all - bytes;
    std::memcpy(context.raw_row(row), values, bytes);
  }
}

}  // namespace

SelfAttention::SelfAttention(Parameters& parameters, const std::string& name, const AttentionSizes& sizes,
                             const InitialScales& scales)
    : sizes_(sizes),
      query_key_value_(parameters, name + ".query_key_value", sizes.width, projected_width(sizes),
                       with_values_scaled(query_projection(sizes), sizes, scales.inner), sizes.linear_bias),
      gains_(head_gains(parameters, name, sizes, true, true)),
      output_(output_of(parameters, name, sizes, scales.outer)) {}

Tensor SelfAttention::project(const Tensor& x) const { return normed(query_key_value_(x), gains_); }

Tensor SelfAttention::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                 const DropoutMask& mask) const {
  const AttentionHeads& heads = sizes_.heads;
  const AttentionPositions& positions = *view.positions;
  Tensor now = project(x);
  if (positions.angles)  // of queries and keys
    now = rotate(now, positions.angles, *view.places, heads.heads + heads.key_value_heads);
  if (view.projected != nullptr) *view.projected = now;
  const int stride = sizes_.seen.stride;
  const AttentionShape shape{heads,
                             causal,
                             mask,
                             distances_of(positions, stride),
                             sizes_.window,
                             sizes_.pattern,
                             positions.grid_columns};
  if (view.spans != nullptr) {
    const auto attend = [&](const Tensor& packed) {
      return stride > 1 ? strided_attention(packed, *view.spans, shape, stride)
                        : attention(packed, packed, *view.spans, shape);
    };
    visit_row_weights(view.weights, *view.spans, {now, heads.key_value_heads, heads.head_width}, attend);
    return projected(output_, attend(now));
  }
  const Tensor stored = view.raw == nullptr ? now : project(*view.raw);
  const KeyRows& rows =
      view.history->extend(stored, *view.past, view.before, 2 * heads.key_value_width(), sizes_.seen);
  const Tensor context = attend_rows(now, rows, heads, shape.distances);
  if (view.raw != nullptr) take_own_values(now, *view.past, context);
  return projected(output_, context);
}

CrossAttention::CrossAttention(Parameters& parameters, const std::string& name, const AttentionSizes& sizes,
                               const InitialScales& scales)
    : sizes_(sizes),
      query_(parameters, name + ".query", sizes.width, sizes.heads.width(), query_projection(sizes),
             sizes.linear_bias),
      key_value_(parameters, name + ".key_value", sizes.width, 2 * sizes.heads.key_value_width(),
                 with_values_scaled(projection(sizes), sizes, scales.inner), sizes.linear_bias),
      query_gains_(head_gains(parameters, name, sizes, true, false)),
      key_gains_(head_gains(parameters, name, sizes, false, true)),
      output_(output_of(parameters, name, sizes, scales.outer)) {}

Tensor CrossAttention::queries(const Tensor& x) const { return normed(query_(x), query_gains_); }

Tensor CrossAttention::project(const Tensor& states) const { return normed(key_value_(states), key_gains_); }

Tensor CrossAttention::attend(const Tensor& x, const KeysValues& source, const DropoutMask& mask,
                              GuidedHead* guided) const {
  const Tensor queries = this->queries(x);
  if (guided != nullptr) {
    guided->weights = head_weights(queries, source.packed, *source.spans, sizes_.heads, guided->head);
  }
  return projected(output_, attend_to(queries, source, {sizes_.heads, false, mask}));
}

std::vector<std::vector<float>> CrossAttention::weights(const Tensor& x, const KeyRows& source) const {
  return attention_weights(queries(x), source, sizes_.heads);
}

}  // namespace gloss
