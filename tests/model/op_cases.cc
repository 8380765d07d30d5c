// SPDX-License-Identifier: Apache-2.0
// The table of operations; a new operation is one more row.
#include "op_cases.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops_pooling.h"

namespace gloss {

Tensor random_tensor(const Shape& shape, Random& random) {
  Tensor t = Tensor::uninitialised(shape);
  for (float& v : t.values()) v = static_cast<float>(random.normal() * 0.7);
  return t;
}

double at(const Tensor& t, std::int64_t row, std::int64_t column) {
  return t.data()[row * t.columns() + column];
}

double score_of_distance(const Tensor& distances, int head, std::int64_t query, std::int64_t key,
                         int columns) {
  const std::int64_t reach = distances.columns() / 2;
  if (columns == 0) return at(distances, head, std::clamp(key - query, -reach, reach) + reach);
  const std::int64_t down = key / columns - query / columns, right = key % columns - query % columns;
  return at(distances, head, down * (2 * columns - 1) + right + reach);
}

std::ostream& operator<<(std::ostream& out, const OpCase& c) { return out << c.name; }

namespace {

std::vector<double> naive_linear(const Inputs& in) {
  std::vector<double> y;
  for (std::int64_t r = 0; r < in[0].rows(); ++r) {
    for (std::int64_t o = 0; o < in[1].rows(); ++o) {
      double sum = in.size() > 2 ? in[2].data()[o] : 0;
      for (std::int64_t i = 0; i < in[0].columns(); ++i) sum += at(in[0], r, i) * at(in[1], o, i);
      y.push_back(sum);
    }
  }
  return y;
}

/// Inputs: x, gain and, for layer normalisation, bias.
std::vector<double> naive_norm(const Inputs& in, double epsilon = 1e-5) {
  std::vector<double> y;
  const std::int64_t width = in[0].columns();
  const bool centred = in.size() > 2;
  for (std::int64_t r = 0; r < in[0].rows(); ++r) {
    double mean = 0, variance = 0;
    for (std::int64_t i = 0; centred && i < width; ++i) mean += at(in[0], r, i) / static_cast<double>(width);
    for (std::int64_t i = 0; i < width; ++i)
      variance += std::pow(at(in[0], r, i) - mean, 2) / static_cast<double>(width);
    for (std::int64_t i = 0; i < width; ++i) {
      const double normalised = (at(in[0], r, i) - mean) / std::sqrt(variance + epsilon);
      y.push_back(normalised * in[1].data()[i] + (centred ? in[2].data()[i] : 0.0f));
    }
  }
  return y;
}

const std::vector<int> kSpanStarts = {0, 5, 5, 6, 38};

/// Pools 4 spans, the second one empty, followed by two other rows.
template <class Pool>
std::vector<double> naive_pool(const Inputs& in, Pool pool) {
  std::vector<double> y(6 * 21, 0.0);
  for (std::size_t span = 0; span + 1 < kSpanStarts.size(); ++span) {
    for (std::size_t c = 0; c < 21; ++c) {
      std::vector<double> column;
      for (int row = kSpanStarts[span]; row < kSpanStarts[span + 1]; ++row) {
        column.push_back(at(in[0], row, static_cast<std::int64_t>(c)));
      }
      if (!column.empty()) y[span * 21 + c] = pool(column);
    }
  }
  return y;
}

std::vector<double> mapped(std::vector<double> y, double (*f)(double)) {
  std::transform(y.begin(), y.end(), y.begin(), f);
  return y;
}

const std::vector<std::int32_t> kTokens = {3, 0, 3, -1, 6}, kPlaces = {0, 1, 2, 0, 1};

}  // namespace

std::vector<OpCase> op_cases() {
  std::vector<OpCase> all = {
      {"linear",
       {{5, 7}, {9, 7}, {9}},
       1,
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); },
       naive_linear},
      {"linear_without_bias",
       {{5, 7}, {9, 7}},
       1,
       [](const Inputs& in) { return linear(in[0], in[1], {}); },
       naive_linear},
      {"linear_to_one_number",
       {{5, 7}, {1, 7}, {1}},
       1,
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); },
       naive_linear},
      {"linear_relu",
       {{300, 7}, {70, 7}, {70}},
       1,
       [](const Inputs& in) { return linear_relu(in[0], in[1], in[2], {}); },
       [](const Inputs& in) { return mapped(naive_linear(in), [](double v) { return std::max(v, 0.0); }); }},
      {"linear_relu_dropout",
       {{5, 7}, {37, 7}, {37}},
       1,
       [](const Inputs& in) { return linear_relu(in[0], in[1], in[2], kDrop); },
       nullptr},
      {"add_dropout",
       {{3, 20}, {3, 20}},
       2,
       [](const Inputs& in) { return add_dropout(in[0], in[1], kDrop); },
       nullptr},
      {"add",
       {{3, 20}, {3, 20}},
       2,
       [](const Inputs& in) { return add_dropout(in[0], in[1], {}); },
       [](const Inputs& in) {
         std::vector<double> y;
         for (std::int64_t i = 0; i < in[0].count(); ++i) y.push_back(in[0].data()[i] + in[1].data()[i]);
         return y;
       }},
      {"one_tensor_twice",
       {{3, 20}},
       1,
       [](const Inputs& in) { return add_dropout(in[0], in[0], kDrop); },
       nullptr},
      {"mean_of_rows",
       {{40, 21}},
       1,
       [](const Inputs& in) { return mean_of_rows(in[0], kSpanStarts, 6); },
       [](const Inputs& in) {
         return naive_pool(in, [](std::vector<double> column) {
           double sum = 0;
           for (const double number : column) sum += number;
           return sum / static_cast<double>(column.size());
         });
       }},
      {"max_of_rows",
       {{40, 21}},
       1,
       [](const Inputs& in) { return max_of_rows(in[0], kSpanStarts, 6); },
       [](const Inputs& in) {
         return naive_pool(in, [](std::vector<double> column) { return *std::ranges::max_element(column); });
       }},
      {"layer_norm",
       {{300, 21}, {21}, {21}},
       1,
       [](const Inputs& in) {
         return norm(in[0], {in[1], in[2]});
       },
       [](const Inputs& in) { return naive_norm(in); }},
      {"multiplied_used_twice",
       {{300, 21}},
       1,
       [](const Inputs& in) { return add_dropout(multiplied(in[0], 1.7f), in[0], {}); },
       [](const Inputs& in) {
         std::vector<double> y;
         for (std::int64_t i = 0; i < in[0].count(); ++i) y.push_back(2.7 * double{in[0].data()[i]});
         return y;
       }},
      {"add_dropout_norm",
       {{300, 21}, {300, 21}, {21}, {21}},
       2,
       [](const Inputs& in) {
         return add_dropout_norm(in[0], in[1], kDrop, {in[2], in[3]});
       },
       nullptr},
      {"add_norm",
       {{5, 21}, {5, 21}, {21}, {21}},
       2,
       [](const Inputs& in) {
         return add_dropout_norm(in[0], in[1], {}, {in[2], in[3]});
       },
       [](const Inputs& in) {
         const Tensor sum = Tensor::uninitialised(in[0].shape());
         for (std::int64_t i = 0; i < sum.count(); ++i) sum.data()[i] = in[0].data()[i] + in[1].data()[i];
         return naive_norm({sum, in[2], in[3]});
       }},
      {"one_tensor_twice_into_a_norm",
       {{5, 21}, {21}, {21}},
       1,
       [](const Inputs& in) {
         return add_dropout_norm(in[0], in[0], kDrop, {in[1], in[2]});
       },
       nullptr},
      {"layer_norm_with_large_epsilon",
       {{5, 21}, {21}, {21}},
       1,
       [](const Inputs& in) {
         return norm(in[0], {in[1], in[2], 0.3f});
       },
       [](const Inputs& in) { return naive_norm(in, 0.3f); }},
      {"rms_norm",
       {{300, 21}, {21}},
       1,
       [](const Inputs& in) { return norm(in[0], {in[1]}); },
       [](const Inputs& in) { return naive_norm(in); }},
      {"add_dropout_rms_norm",
       {{300, 37}, {300, 37}, {37}},
       2,
       [](const Inputs& in) { return add_dropout_norm(in[0], in[1], kDrop, {in[2]}); },
       nullptr},
      {"one_tensor_twice_into_an_rms_norm",
       {{5, 21}, {21}},
       1,
       [](const Inputs& in) { return add_dropout_norm(in[0], in[0], {}, {.gain = in[1], .epsilon = 0.3f}); },
       [](const Inputs& in) {
         const Tensor sum = Tensor::uninitialised(in[0].shape());
         for (std::int64_t i = 0; i < sum.count(); ++i) sum.data()[i] = 2 * in[0].data()[i];
         return naive_norm({sum, in[1]}, 0.3f);
       }},
      {"embed",
       {{7, 18}, {4, 18}},
       0,
       [](const Inputs& in) { return embed(in[0], in[1], kTokens, kPlaces, 2.0f, {}); },
       [](const Inputs& in) {
         std::vector<double> y;
         for (std::size_t r = 0; r < kTokens.size(); ++r) {
           for (int c = 0; c < 18; ++c) {
             const double token = kTokens[r] < 0 ? 0 : 2 * at(in[0], kTokens[r], c);
             y.push_back(token + at(in[1], kPlaces[r], c));
           }
         }
         return y;
       }},
      {"embed_dropout",
       {{7, 18}},
       0,
       [](const Inputs& in) { return embed(in[0], {}, kTokens, kPlaces, 2.0f, kDrop); },
       nullptr},
      {"cross_entropy",
       {{6, 8}, {70, 8}, {70}},
       1,
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 69, -1, 0, 12, 12};
         return softmax_cross_entropy(in[0], {in[1], in[2]}, targets, {}, {0.1}).sum;
       },
       nullptr},
      {"weighted_cross_entropy",
       {{6, 8}, {70, 8}, {70}},
       1,
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 69, -1, 0, 12, 12};
         const std::vector<float> weights = {0.5f, 2, 7, 0, 1.5f, 0.25f};
         return softmax_cross_entropy(in[0], {in[1], in[2]}, targets, weights, {0.1}).sum;
       },
       nullptr},
      {"cross_entropy_of_soft_targets",
       {{6, 8}, {70, 8}, {70}},
       1,
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 69, -1, 0, 12, 12};
         const std::vector<float> weights = {0.5f, 2, 7, 0, 1.5f, 0.25f};
         const SoftTargets soft{2,
                                {3, 4, 1, 2, 0, 1, 5, 6, 69, 12, 30, 0},
                                {0.7f, 0.3f, 0.5f, 0.5f, 1, 0, 0.9f, 0.1f, 0.6f, 0.4f, 0.2f, 0.8f}};
         return softmax_cross_entropy(in[0], {in[1], in[2]}, targets, weights, {0.1, &soft, 0.7}).sum;
       },
       nullptr},
      {"cross_entropy_of_pairs",
       {{6, 8}, {70, 8}, {70}},
       1,
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 3, -1, -1, 69, 69};
         const std::vector<float> weights = {0.5f, 0.5f, 7, 7, 2, 2};
         return softmax_cross_entropy(in[0], {in[1], in[2]}, targets, weights,
                                      {.label_smoothing = 0.1, .r_drop = 3})
             .sum;
       },
       nullptr},
  };
  for (OpCase& operation : attention_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : activation_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : linear_attention_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : sparse_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : convolution_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : recurrent_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : memory_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : turing_op_cases()) all.push_back(std::move(operation));
  for (OpCase& operation : ctc_op_cases()) all.push_back(std::move(operation));
  return all;
}

}  // namespace gloss
