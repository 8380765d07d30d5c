// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops.h"

namespace gloss {
namespace {

float value_of(float number) { return number; }
float value_of(Bf16 number) { return std::bit_cast<float>(std::uint32_t{number.bits} << 16); }

}  // namespace

std::vector<std::vector<float>> attention_weights(const Tensor& queries, const KeyRows& seen,
                                                  const AttentionHeads& heads) {
  const std::size_t rows = seen.starts.size() - 1;
  expects(static_cast<std::int64_t>(rows) <= queries.rows() && queries.columns() >= heads.width(),
          "attention_weights: queries ", queries.shape().text(), " for ", rows, " rows of width ",
          heads.width());
  const std::int64_t head_width = heads.head_width;
  std::vector<std::vector<float>> all(index(heads.heads), std::vector<float>(seen.keys.size()));
  for_dtype(queries.dtype(), [&]<class Number>() {
    for (std::size_t row = 0; row < rows; ++row) {
      const auto first = index(seen.starts[row]), count = index(seen.starts[row + 1]) - first;
      for (int head = 0; head < heads.heads; ++head) {
        const std::int64_t of_keys = head * heads.key_value_heads / heads.heads;
        const Number* query = queries.data_as<Number>() + static_cast<std::int64_t>(row) * queries.columns() +
                              head * head_width;
        const auto weights = std::span(all[index(head)]).subspan(first, count);
        for (std::size_t i = 0; i < count; ++i) {
          const Number* key = static_cast<const Number*>(seen.keys[first + i]) + of_keys * head_width;
          float score = 0;
          for (std::int64_t d = 0; d < head_width; ++d) score += value_of(query[d]) * value_of(key[d]);
          weights[i] = score * heads.scale;
        }
        const float top = weights.empty() ? 0 : *std::ranges::max_element(weights);
        float sum = 0;
        for (float& weight : weights) sum += weight = std::exp(weight - top);
        for (float& weight : weights) weight /= sum;
      }
    }
  });
  return all;
}

}  // namespace gloss
