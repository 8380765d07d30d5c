// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for linear attention.
#include "op_cases.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops_linear_attention.h"

namespace gloss {
namespace {

Tensor made_up_features(std::int64_t count, std::int64_t width) {
  Random random(5);
  return random_tensor({count, width}, random);
}

/// exp(w_r . x - |x|^2 / 2) of each feature r, for x in columns first .. of a row.
std::vector<double> naive_features(const Tensor& x, std::int64_t row, std::int64_t first,
                                   const Tensor& features) {
  const std::int64_t d = features.columns();
  const double scale = std::pow(static_cast<double>(d), -0.25);
  std::vector<double> all;
  for (std::int64_t r = 0; r < features.rows(); ++r) {
    double exponent = 0;
    for (std::int64_t c = 0; c < d; ++c) {
      const double value = at(x, row, first + c) * scale;
      exponent += at(features, r, c) * value - value * value / 2;
    }
    all.push_back(std::exp(exponent));
  }
  return all;
}

std::vector<double> naive_linear_attention(const Tensor& x, const Tensor& features,
                                           const std::vector<AttentionSpan>& spans, int heads, bool causal) {
  const std::int64_t d = features.columns(), width = heads * d;
  std::vector<double> y(index(x.rows() * width), 0.0);
  for (const AttentionSpan& s : spans) {
    for (int h = 0; h < heads; ++h) {
      for (int i = s.query_start; i < s.query_start + s.query_count; ++i) {
        const std::vector<double> query = naive_features(x, i, h * d, features);
        double total = 0;
        std::vector<double> sum(index(d), 0.0);
        for (int j = s.query_start; j < (causal ? i + 1 : s.query_start + s.query_count); ++j) {
          const std::vector<double> key = naive_features(x, j, width + h * d, features);
          double weight = 0;
          for (std::size_t r = 0; r < key.size(); ++r) weight += query[r] * key[r];
          total += weight;
          for (std::int64_t c = 0; c < d; ++c) sum[index(c)] += weight * at(x, j, 2 * width + h * d + c);
        }
        for (std::int64_t c = 0; c < d; ++c) y[index(i * width + h * d + c)] = sum[index(c)] / total;
      }
    }
  }
  return y;
}

}  // namespace

std::vector<OpCase> linear_attention_op_cases() {
  struct Sizes {
    const char* name;
    std::vector<AttentionSpan> spans;
    std::int64_t rows, head_width, features;
    int heads;
  };
  std::vector<OpCase> all;
  // Heads and features that are and are not whole vectors; sentences of several blocks.
  for (const Sizes& s : {Sizes{"odd", {{0, 3, 0, 3}, {4, 5, 4, 5}, {9, 1, 9, 1}}, 12, 5, 11, 2},
                         Sizes{"even", {{0, 7, 0, 7}}, 8, 16, 32, 1},
                         Sizes{"of_blocks", {{0, 66, 0, 66}, {66, 130, 66, 130}}, 196, 4, 9, 1}}) {
    const Tensor features = made_up_features(s.features, s.head_width);
    all.push_back(
        {concat("linear_attention_", s.name),
         {{s.rows, 3 * s.heads * s.head_width}},
         1,
         [=](const Inputs& in) { return linear_attention(in[0], features, s.spans, s.heads); },
         [=](const Inputs& in) { return naive_linear_attention(in[0], features, s.spans, s.heads, false); }});
    all.push_back(
        {concat("causal_linear_attention_", s.name),
         {{s.rows, 3 * s.heads * s.head_width}},
         1,
         [=](const Inputs& in) { return causal_linear_attention(in[0], features, s.spans, s.heads); },
         [=](const Inputs& in) { return naive_linear_attention(in[0], features, s.spans, s.heads, true); }});
  }
  return all;
}

}  // namespace gloss
