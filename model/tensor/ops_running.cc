// SPDX-License-Identifier: Apache-2.0
// Running sums over the rows of sentences: see ops_recurrent.h.
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_recurrent.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kSums("running sums");
const ProfiledOperation kSumsGradient("running sums: gradient");

/// A row as f32: itself, or a copy in `scratch`.
const float* widened(const Tensor& tensor, std::int64_t row, float* scratch) {
  if (tensor.dtype() == DType::f32) return static_cast<const float*>(tensor.raw_row(row));
  kernels().widen(static_cast<const Bf16*>(tensor.raw_row(row)), scratch, tensor.columns());
  return scratch;
}

void store_row(const float* values, const Tensor& tensor, std::int64_t row) {
  if (tensor.dtype() == DType::f32) {
    std::copy_n(values, tensor.columns(), static_cast<float*>(tensor.raw_row(row)));
  } else {
    kernels().narrow(values, static_cast<Bf16*>(tensor.raw_row(row)), tensor.columns());
  }
}

/// after = kept * before + (1 - kept) * x, or, without `kept`, the mean of x and `place` earlier rows whose
/// mean is `before`.
void next_sum(const float* x, const float* kept, const float* before, int place, std::int64_t width,
              float* after) {
  if (kept == nullptr) {
    const auto rows = static_cast<float>(place);
    for (std::int64_t i = 0; i < width; ++i) after[i] = (rows * before[i] + x[i]) / (rows + 1);
  } else {
    for (std::int64_t i = 0; i < width; ++i) after[i] = kept[i] * before[i] + (1 - kept[i]) * x[i];
  }
}

void expect_alike(const Tensor& x, const Tensor& kept) {
  expects(!kept || (kept.shape() == x.shape() && kept.dtype() == x.dtype()), "running sums: shapes ",
          x.shape().text(), " and ", kept ? kept.shape().text() : "");
}

/// Scratch rows for the widened x and kept, and zeros.
struct Rows {
  explicit Rows(std::int64_t width) : all(Tensor::zeros({3, width})) {}
  float* x() const { return all.data(); }
  float* kept() const { return all.data() + all.columns(); }
  const float* zeros() const { return all.data() + 2 * all.columns(); }
  Tensor all;
};

/// Gradients of the rows of a span, last row first.
void span_gradient(const AttentionSpan& span, const Tensor& dy, const Tensor& x, const Tensor& kept,
                   const Tensor& sums, const Tensor& dx, const Tensor& dkept) {
  const std::int64_t width = dy.columns();
  const Rows rows(width);
  // [carried gradient of the sum, gradients to store]
  const Tensor carried = Tensor::zeros({width}), of_x = Tensor::uninitialised({width}),
               of_kept = Tensor::uninitialised({width}), wide = Tensor::uninitialised({width});
  float *c = carried.data(), *gx = of_x.data(), *gk = of_kept.data();
  for (int place = span.query_count - 1; place >= 0; --place) {
    const std::int64_t row = span.query_start + place;
    const float* const d = widened(dy, row, wide.data());
    for (std::int64_t i = 0; i < width; ++i) c[i] += d[i];
    if (!kept) {
      const auto before = static_cast<float>(place);
      for (std::int64_t i = 0; i < width; ++i) gx[i] = c[i] / (before + 1);
      for (std::int64_t i = 0; i < width; ++i) c[i] = c[i] * before / (before + 1);
    } else {
      const float* const k = widened(kept, row, rows.kept());
      const float* const own = widened(x, row, rows.x());
      const float* const before =
          place == 0 ? rows.zeros() : static_cast<const float*>(sums.raw_row(row - 1));
      for (std::int64_t i = 0; i < width; ++i) gk[i] = (before[i] - own[i]) * c[i];
      for (std::int64_t i = 0; i < width; ++i) gx[i] = (1 - k[i]) * c[i];
      for (std::int64_t i = 0; i < width; ++i) c[i] *= k[i];
      if (dkept) store_row(gk, dkept, row);
    }
    if (dx) store_row(gx, dx, row);
  }
}

Tensor zeros_if_wanted(const Tensor& tensor, const Tensor& like) {
  return tensor && tensor.wants_gradient() ? Tensor::zeros(like.shape(), like.dtype()) : Tensor();
}

}  // namespace

Tensor running_sums(const Tensor& x, const Tensor& kept, std::vector<AttentionSpan> spans, Tensor* all_sums) {
  expect_alike(x, kept);
  const std::int64_t width = x.columns();
  const Tensor y = Tensor::zeros(x.shape(), x.dtype());
  std::vector<Tensor> inputs{kept ? x : x.without_values()};
  if (kept) inputs.push_back(kept);
  const bool keep = all_sums != nullptr || (kept && any_wants_gradient(inputs));
  const Tensor sums = keep ? Tensor::zeros(x.shape()) : Tensor();
  {
    const ProfiledTime time(kSums, 4 * y.count(), 3 * y.bytes());
    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
      const Rows rows(width);
      const Tensor sum = Tensor::uninitialised({width});
      for (std::int64_t s = first; s < last; ++s) {
        const AttentionSpan& span = spans[index(s)];
        const float* before = rows.zeros();
        for (int place = 0; place < span.query_count; ++place) {
          const std::int64_t row = span.query_start + place;
          next_sum(widened(x, row, rows.x()), kept ? widened(kept, row, rows.kept()) : nullptr, before, place,
                   width, sum.data());
          store_row(sum.data(), y, row);
          if (keep) store_row(sum.data(), sums, row);
          before = sum.data();
        }
      }
    });
  }
  if (all_sums != nullptr) *all_sums = sums;
  return record(y, std::move(inputs),
                [spans = std::move(spans), sums, mean = !kept](const Tensor& dy, std::span<const Tensor> of) {
                  const Tensor none, &gates = mean ? none : of[1];
                  const Tensor dx = zeros_if_wanted(of[0], dy), dkept = zeros_if_wanted(gates, dy);
                  {
                    const ProfiledTime time(kSumsGradient, 8 * dy.count(), 5 * dy.bytes());
                    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1,
                                    [&](std::int64_t first, std::int64_t last) {
                                      for (std::int64_t s = first; s < last; ++s)
                                        span_gradient(spans[index(s)], dy, of[0], gates, sums, dx, dkept);
                                    });
                  }
                  if (dx) of[0].hand_gradient(dx);
                  if (dkept) gates.hand_gradient(dkept);
                });
}

Tensor continue_sums(const Tensor& x, const Tensor& kept, std::span<const SumRow> rows) {
  expect_alike(x, kept);
  expects(static_cast<std::int64_t>(rows.size()) <= x.rows(), "running sums: ", rows.size(), " rows of ",
          x.rows());
  const std::int64_t width = x.columns();
  const Tensor y = Tensor::zeros(x.shape(), x.dtype());
  const Rows scratch(width);
  const ProfiledTime time(kSums, 4 * y.count(), 3 * y.bytes());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = static_cast<std::int64_t>(r);
    next_sum(widened(x, row, scratch.x()), kept ? widened(kept, row, scratch.kept()) : nullptr,
             rows[r].before != nullptr ? rows[r].before : scratch.zeros(), rows[r].place, width,
             rows[r].after);
    store_row(rows[r].after, y, row);
  }
  return y;
}

}  // namespace gloss
