// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for convolutions over the rows of sentences.
#include "op_cases.h"

#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

constexpr std::int64_t kConvolvedRows = 24;
// A sentence shorter than kernels, padding rows before the second and after the last.
const std::vector<AttentionSpan> kSentences = {{0, 2, 0, 2}, {3, 13, 3, 13}, {16, 6, 16, 6}};

/// `weight(row, tap, channel)` times x.
template <class Weight>
std::vector<double> naive_convolution(const Tensor& x, const ConvolutionTaps& taps, const Weight& weight) {
  std::vector<double> y(index(x.count()), 0.0);
  for (const AttentionSpan& s : kSentences) {
    for (int t = 0; t < s.query_count; ++t) {
      for (std::int64_t k = 0; k < taps.count; ++k) {
        const std::int64_t row = t + taps.first + k * taps.step;
        if (row < 0 || row >= s.query_count) continue;
        for (std::int64_t c = 0; c < x.columns(); ++c) {
          y[index((s.query_start + t) * x.columns() + c)] +=
              weight(s.query_start + t, k, c) * at(x, s.query_start + row, c);
        }
      }
    }
  }
  return y;
}

/// The same over sentences that are grids, whose last row may be shorter: `count` taps in both directions.
std::vector<double> naive_grid_convolution(const Tensor& x, const Tensor& weights, int count, int columns) {
  std::vector<double> y(index(x.count()), 0.0);
  for (const AttentionSpan& s : kSentences) {
    for (int to = 0; to < s.query_count; ++to) {
      for (int from = 0; from < s.query_count; ++from) {
        const int down = from / columns - to / columns + count / 2,
                  right = from % columns - to % columns + count / 2;
        if (down < 0 || down >= count || right < 0 || right >= count) continue;
        for (std::int64_t c = 0; c < x.columns(); ++c) {
          y[index((s.query_start + to) * x.columns() + c)] +=
              at(weights, down * count + right, c) * at(x, s.query_start + from, c);
        }
      }
    }
  }
  return y;
}

/// Element `i` of the softmax of a group of `size` elements of a row from column `first`.
double share_of_group(const Tensor& x, std::int64_t row, std::int64_t first, std::int64_t size,
                      std::int64_t i) {
  double total = 0;
  for (std::int64_t j = 0; j < size; ++j) total += std::exp(at(x, row, first + j));
  return std::exp(at(x, row, first + i)) / total;
}

}  // namespace

std::vector<OpCase> convolution_op_cases() {
  struct Kernel {
    const char* name;
    std::int64_t count;
    bool causal;
    std::int64_t dilation;
  };
  std::vector<OpCase> all;
  for (const Kernel& kernel : {Kernel{"one_row", 1, false, 1},
                               {"both_sides", 5, false, 1},
                               {"causal", 4, true, 1},
                               {"dilated", 3, false, 3},
                               {"causal_dilated", 3, true, 2}}) {
    const ConvolutionTaps taps = convolution_taps(kernel.count, kernel.causal, kernel.dilation);
    const std::int64_t count = kernel.count;
    all.push_back({concat("neighbouring_rows_", kernel.name),
                   {{kConvolvedRows, 21}},
                   1,
                   [=](const Inputs& in) { return neighbouring_rows(in[0], kSentences, taps); },
                   [=](const Inputs& in) {
                     std::vector<double> y(index(kConvolvedRows * count * 21), 0.0);
                     for (std::int64_t k = 0; k < count; ++k) {
                       const std::vector<double> read = naive_convolution(
                           in[0], taps,
                           [&](std::int64_t, std::int64_t tap, std::int64_t) { return tap == k; });
                       for (std::int64_t i = 0; i < kConvolvedRows * 21; ++i)
                         y[index((i / 21 * count + k) * 21 + i % 21)] = read[index(i)];
                     }
                     return y;
                   }});
    // Several blocks of vectors and a rest.
    for (const std::int64_t width : {14, 150}) {
      all.push_back({concat("depthwise_convolution_", kernel.name, "_", width),
                     {{kConvolvedRows, width}, {count, width}},
                     1,
                     [=](const Inputs& in) { return depthwise_convolution(in[0], in[1], kSentences, taps); },
                     [=](const Inputs& in) {
                       return naive_convolution(
                           in[0], taps,
                           [&](std::int64_t, std::int64_t k, std::int64_t c) { return at(in[1], k, c); });
                     }});
      all.push_back({concat("dynamic_convolution_", kernel.name, "_", width),
                     {{kConvolvedRows, width}, {kConvolvedRows, 2 * count}},
                     2,
                     [=](const Inputs& in) { return dynamic_convolution(in[0], in[1], kSentences, taps); },
                     [=](const Inputs& in) {
                       return naive_convolution(in[0], taps,
                                                [&](std::int64_t row, std::int64_t k, std::int64_t c) {
                                                  return at(in[1], row, c / (width / 2) * count + k);
                                                });
                     }});
    }
  }
  for (const int columns : {1, 3, 4, 20}) {
    for (const int count : {1, 3, 5}) {
      const ConvolutionTaps taps = convolution_taps(count, false);
      all.push_back(
          {concat("grid_convolution_", columns, "_columns_", count, "_taps"),
           {{kConvolvedRows, 21}, {count * count, 21}},
           1,
           [=](const Inputs& in) { return grid_convolution(in[0], in[1], kSentences, taps, columns); },
           [=](const Inputs& in) { return naive_grid_convolution(in[0], in[1], count, columns); }});
    }
  }
  // Rows that are read once, several times and never; zeros; the last row of the input.
  const std::vector<int> read{0, 3, -1, 3, 23, 7, -1, -1, -1, 11, 3, 0};
  all.push_back({"joined_rows",
                 {{kConvolvedRows, 21}},
                 1,
                 [=](const Inputs& in) { return joined_rows(in[0], read, 3); },
                 [=](const Inputs& in) {
                   std::vector<double> y;
                   for (const int row : read) {
                     for (std::int64_t c = 0; c < 21; ++c) y.push_back(row < 0 ? 0 : at(in[0], row, c));
                   }
                   return y;
                 }});
  const ConvolutionTaps five = convolution_taps(5, false);
  all.push_back({"lightweight_convolution",
                 {{kConvolvedRows, 21}, {3, 5}},
                 1,
                 [=](const Inputs& in) {
                   const Tensor kernel = channel_weights(grouped_softmax(in[1], 5, {}), 21);
                   return depthwise_convolution(in[0], kernel, kSentences, five);
                 },
                 [=](const Inputs& in) {
                   return naive_convolution(in[0], five, [&](std::int64_t, std::int64_t k, std::int64_t c) {
                     return share_of_group(in[1], c / 7, 0, 5, k);
                   });
                 }});
  all.push_back({"lightweight_convolution_dropout",
                 {{kConvolvedRows, 21}, {3, 5}},
                 1,
                 [=](const Inputs& in) {
                   const Tensor kernel = channel_weights(grouped_softmax(in[1], 5, kDrop), 21);
                   return depthwise_convolution(in[0], kernel, kSentences, five);
                 },
                 nullptr});
  // Longer than the blocks over which gradients of weights are summed.
  const std::vector<AttentionSpan> long_ones{{0, 300, 0, 300}, {300, 250, 300, 250}};
  all.push_back({"long_depthwise_convolution",
                 {{550, 6}, {5, 6}},
                 1,
                 [=](const Inputs& in) { return depthwise_convolution(in[0], in[1], long_ones, five); },
                 nullptr});
  // Groups shorter and longer than vectors.
  for (const std::int64_t size : {3, 37}) {
    all.push_back({concat("grouped_softmax_", size),
                   {{5, 4 * size}},
                   1,
                   [=](const Inputs& in) { return grouped_softmax(in[0], size, {}); },
                   [=](const Inputs& in) {
                     std::vector<double> y;
                     for (std::int64_t row = 0; row < 5; ++row) {
                       for (std::int64_t c = 0; c < 4 * size; ++c)
                         y.push_back(share_of_group(in[0], row, c / size * size, size, c % size));
                     }
                     return y;
                   }});
    all.push_back({concat("grouped_softmax_dropout_", size),
                   {{5, 4 * size}},
                   1,
                   [=](const Inputs& in) { return grouped_softmax(in[0], size, kDrop); },
                   nullptr});
  }
  return all;
}

}  // namespace gloss
