// SPDX-License-Identifier: Apache-2.0

#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_sums.h"

namespace gloss {
namespace {

const ProfiledOperation kHeadNorm("norm of heads");
const ProfiledOperation kHeadNormGradient("norm of heads: gradient");

constexpr std::int64_t kHeadNormGrain = 64;  // minimum rows per thread

/// Heads of one kind that follow each other in a row.
struct HeadRange {
  Tensor gain;
  std::int64_t first, count;
};

/// The ranges of heads in a row, and what their normalisation keeps for the gradient.
struct HeadNormRecord {
  std::vector<HeadRange> ranges;
  std::int64_t heads = 0, width = 0;
  float epsilon = 0;
  Tensor normalised;          // [T, heads * width]
  Tensor inverse_deviations;  // [T * heads]
};

HeadNormRecord record_of(const Tensor& x, const HeadGains& gains) {
  HeadNormRecord record;
  for (const auto& [gain, count] :
       {std::pair(gains.query, gains.queries), std::pair(gains.key, gains.keys)}) {
    if (count == 0) continue;
    record.ranges.push_back({gain, record.heads, count});
    record.heads += count;
    expects(bool(gain) && (record.width == 0 || record.width == gain.count()),
            "norm_heads: gains of heads differ");
    record.width = gain.count();
  }
  record.epsilon = gains.epsilon;
  expects(record.heads > 0 && record.heads * record.width <= x.columns(), "norm_heads: ", record.heads,
          " heads of ", record.width, " in rows of ", x.columns());
  return record;
}

template <class Number>
void norm_row(const HeadNormRecord& record, std::int64_t row, const Number* from, Number* to) {
  const bool keep = bool(record.normalised);
  for (const HeadRange& range : record.ranges) {
    const std::int64_t at = range.first * record.width, head = row * record.heads + range.first;
    kernels().of<Number>().norm(
        {.x = from + at,
         .branch = nullptr,
         .dropout = {},
         .gain = range.gain.data(),
         .bias = nullptr,
         .epsilon = record.epsilon,
         .y = to + at,
         .normalised = keep ? record.normalised.template data_as<Number>() + head * record.width : nullptr,
         .inverse_deviations = keep ? record.inverse_deviations.data() + head : nullptr,
         .scratch = nullptr},
        {.first = 0, .rows = range.count, .width = record.width});
  }
}

/// Adds the gradients of the gains of one row to `sums`, one gain after the other.
template <class Number>
void norm_row_gradient(const HeadNormRecord& record, std::int64_t row, const Number* gradient, Number* to,
                       bool accumulate, float* sums) {
  for (const HeadRange& range : record.ranges) {
    const std::int64_t at = range.first * record.width, head = row * record.heads + range.first;
    kernels().of<Number>().norm_gradient(
        {.gradient = gradient + at,
         .normalised = record.normalised.template data_as<Number>() + head * record.width,
         .inverse_deviations = record.inverse_deviations.data() + head,
         .gain = range.gain.data(),
         .x = to + at,
         .accumulate = accumulate,
         .branch = nullptr,
         .dropout = {},
         .gain_sums = sums,
         .bias_sums = nullptr},
        {.first = 0, .rows = range.count, .width = record.width});
    sums += record.width;
  }
}

/// `of`: x, then the gains.
void norm_heads_gradient(const Tensor& dy, std::span<const Tensor> of, const HeadNormRecord& record) {
  const GradientSlot dx = of[0].wants_gradient()
                              ? of[0].gradient_slot()
                              : GradientSlot{Tensor::uninitialised(dy.shape(), dy.dtype()), false};
  const ProfiledTime time(kHeadNormGradient, 10 * dy.count(), 3 * dy.bytes());
  const std::int64_t columns = dy.columns(), normed = record.heads * record.width, rest = columns - normed;
  Tensor sums;
  for_dtype(dy.dtype(), [&]<class Number>() {
    const std::int64_t width = std::ssize(record.ranges) * record.width;
    sums = sums_over_rows(dy.rows(), width, [&](std::int64_t first, std::int64_t count, float* block_sums) {
      for (std::int64_t row = first; row < first + count; ++row) {
        const Number* const from = dy.data_as<Number>() + row * columns;
        Number* const to = dx.values.data_as<Number>() + row * columns;
        norm_row_gradient(record, row, from, to, dx.accumulate, block_sums);
        if (dx.accumulate) {
          kernels().of<Number>().add(to + normed, from + normed, rest);
        } else {
          std::memcpy(to + normed, from + normed, index(rest) * sizeof(Number));
        }
      }
    });
  });
  for (std::size_t i = 0; i < record.ranges.size(); ++i) {
    const Tensor& gain = of[i + 1];
    const float* const gradient = sums.data() + static_cast<std::int64_t>(i) * record.width;
    if (gain.wants_gradient()) kernels().f32.add(gain.gradient().data(), gradient, record.width);
  }
}

}  // namespace

Tensor norm_heads(const Tensor& x, const HeadGains& gains) {
  HeadNormRecord kept = record_of(x, gains);
  std::vector<Tensor> inputs{x};
  for (const HeadRange& range : kept.ranges) inputs.push_back(range.gain);
  if (any_wants_gradient(inputs)) {
    kept.normalised = Tensor::uninitialised({x.rows(), kept.heads * kept.width}, x.dtype());
    kept.inverse_deviations = Tensor::uninitialised({x.rows() * kept.heads});
  }
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  {
    const ProfiledTime time(kHeadNorm, 6 * y.count(), 2 * y.bytes());
    const std::int64_t columns = x.columns(), normed = kept.heads * kept.width;
    for_dtype(x.dtype(), [&]<class Number>() {
      parallel_ranges(x.rows(), kHeadNormGrain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first; row < last; ++row) {
          const Number* const from = x.data_as<Number>() + row * columns;
          Number* const to = y.data_as<Number>() + row * columns;
          norm_row(kept, row, from, to);
          std::memcpy(to + normed, from + normed, index(columns - normed) * sizeof(Number));
        }
      });
    });
  }
  inputs.front() = x.without_values();
  return record(y, std::move(inputs),
                [kept](const Tensor& dy, std::span<const Tensor> of) { norm_heads_gradient(dy, of, kept); });
}

}  // namespace gloss
