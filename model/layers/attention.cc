// SPDX-License-Identifier: Apache-2.0

#include "model/layers/attention.h"

#include <utility>

namespace gloss {
namespace {

/// Initialises all projections of an attention like parts of a single [3 width, width] matrix.
Initialiser projection(std::int64_t width) { return xavier_uniform(width, 3 * width); }

Tensor attend_to(const Tensor& queries, const KeysValues& seen, std::int64_t width,
                 const AttentionShape& shape) {
  if (seen.packed) return attention(queries, seen.packed, width, *seen.spans, shape);
  return attend_rows(queries, *seen.rows, width, shape.heads, shape.distances);
}

}  // namespace

SelfAttention::SelfAttention(Parameters& parameters, const std::string& name, const AttentionSizes& sizes,
                             AttentionPositions positions, double output_scale)
    : sizes_(sizes),
      positions_(std::move(positions)),
      query_key_value_(parameters, name + ".query_key_value", sizes.width, 3 * sizes.width,
                       projection(sizes.width), sizes.linear_bias),
      output_(parameters, name + ".output", sizes.width, sizes.width,
              scaled(xavier_uniform(sizes.width, sizes.width), output_scale), sizes.linear_bias) {}

Tensor SelfAttention::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                 const DropoutMask& mask) const {
  Tensor now = query_key_value_(x);
  if (positions_.angles)
    now = rotate(now, positions_.angles, *view.places, 2 * sizes_.heads);  // queries and keys
  const KeysValues seen = view.spans == nullptr
                              ? view.history->extend(now, *view.past, view.before, sizes_.width)
                              : KeysValues{now, view.spans, nullptr};
  if (view.projected != nullptr) *view.projected = now;
  return output_(attend_to(now, seen, sizes_.width, {sizes_.heads, causal, mask, positions_.distances}));
}

CrossAttention::CrossAttention(Parameters& parameters, const std::string& name, const AttentionSizes& sizes)
    : sizes_(sizes),
      query_(parameters, name + ".query", sizes.width, sizes.width, projection(sizes.width),
             sizes.linear_bias),
      key_value_(parameters, name + ".key_value", sizes.width, 2 * sizes.width, projection(sizes.width),
                 sizes.linear_bias),
      output_(parameters, name + ".output", sizes.width, sizes.width,
              xavier_uniform(sizes.width, sizes.width), sizes.linear_bias) {}

Tensor CrossAttention::project(const Tensor& memory) const { return key_value_(memory); }

Tensor CrossAttention::attend(const Tensor& x, const KeysValues& memory, const DropoutMask& mask) const {
  return output_(attend_to(query_(x), memory, sizes_.width, {sizes_.heads, false, mask}));
}

std::vector<std::vector<float>> CrossAttention::weights(const Tensor& x, const KeyRows& memory) const {
  return attention_weights(query_(x), memory, sizes_.width, sizes_.heads);
}

}  // namespace gloss
