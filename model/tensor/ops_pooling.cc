// SPDX-License-Identifier: Apache-2.0
// Operations that pool rows: see ops_pooling.h.
#include "model/tensor/ops_pooling.h"

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_values.h"

namespace gloss {
namespace {

const ProfiledOperation kPool("pool rows");

void expect_spans(const Tensor& x, const std::vector<int>& starts, std::int64_t rows, const char* operation) {
  expects(
      !starts.empty() && starts.back() <= x.rows() && static_cast<std::int64_t>(starts.size()) - 1 <= rows,
      operation, ": ", starts.size(), " starts up to ", starts.back(), " of ", x.rows(), " rows for ", rows);
}

/// Minimum spans per thread of a parallel loop: most spans are short.
constexpr std::int64_t kSpanGrain = 16;

}  // namespace

Tensor mean_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows) {
  expect_spans(x, starts, rows, "mean_of_rows");
  const auto spans = static_cast<std::int64_t>(starts.size()) - 1;
  const auto width = index(x.columns());
  Tensor y = Tensor::zeros({rows, x.columns()}, x.dtype());
  {
    const ProfiledTime time(kPool, x.count(), x.bytes());
    parallel_ranges(spans, kSpanGrain, [&](std::int64_t first, std::int64_t last) {
      std::vector<float> sum(width), row(width);
      for (std::int64_t span = first; span < last; ++span) {
        const int begin = starts[index(span)], end = starts[index(span) + 1];
        if (begin == end) continue;
        sum.assign(width, 0.0f);
        for (int r = begin; r < end; ++r) {
          read_row(x, r, row);
          for (std::size_t i = 0; i < width; ++i) sum[i] += row[i];
        }
        for (float& number : sum) number /= static_cast<float>(end - begin);
        write_row(sum, y, span);
      }
    });
  }
  return record(y, {x.without_values()},
                [starts = std::move(starts)](const Tensor& dy, std::span<const Tensor> of) {
                  const Tensor dx = of[0].gradient();
                  const ProfiledTime time(kPool, dx.count(), 2 * dx.bytes());
                  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
                  parallel_ranges(count, kSpanGrain, [&](std::int64_t first, std::int64_t last) {
                    std::vector<float> share(index(dy.columns())), row(share.size());
                    for (std::int64_t span = first; span < last; ++span) {
                      const int begin = starts[index(span)], end = starts[index(span) + 1];
                      read_row(dy, span, share);
                      for (float& number : share) number /= static_cast<float>(end - begin);
                      for (int r = begin; r < end; ++r) {
                        read_row(dx, r, row);
                        for (std::size_t i = 0; i < row.size(); ++i) row[i] += share[i];
                        write_row(row, dx, r);
                      }
                    }
                  });
                });
}

Tensor max_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows) {
  expect_spans(x, starts, rows, "max_of_rows");
  const auto spans = static_cast<std::int64_t>(starts.size()) - 1;
  const auto width = index(x.columns());
  Tensor y = Tensor::zeros({rows, x.columns()}, x.dtype());
  std::vector<int> places(index(spans) * width, -1);  // the source row of each element of y
  {
    const ProfiledTime time(kPool, x.count(), x.bytes());
    parallel_ranges(spans, kSpanGrain, [&](std::int64_t first, std::int64_t last) {
      std::vector<float> largest(width), row(width);
      for (std::int64_t span = first; span < last; ++span) {
        const int begin = starts[index(span)], end = starts[index(span) + 1];
        int* const place = places.data() + index(span) * width;
        for (int r = begin; r < end; ++r) {
          read_row(x, r, row);
          for (std::size_t i = 0; i < width; ++i) {
            if (r > begin && !(row[i] > largest[i])) continue;
            largest[i] = row[i];
            place[i] = r;
          }
        }
        if (begin < end) write_row(largest, y, span);
      }
    });
  }
  return record(
      y, {x.without_values()},
      [starts = std::move(starts), places = std::move(places)](const Tensor& dy, std::span<const Tensor> of) {
        const Tensor dx = of[0].gradient();
        const ProfiledTime time(kPool, dx.count(), 2 * dx.bytes());
        const auto count = static_cast<std::int64_t>(starts.size()) - 1;
        parallel_ranges(count, kSpanGrain, [&](std::int64_t first, std::int64_t last) {
          const auto columns = index(dy.columns());
          std::vector<float> from(columns), row(columns);
          for (std::int64_t span = first; span < last; ++span) {
            read_row(dy, span, from);
            const int* const place = places.data() + index(span) * columns;
            const auto s = index(span);
            for (int r = starts[s]; r < starts[s + 1]; ++r) {
              read_row(dx, r, row);
              for (std::size_t i = 0; i < columns; ++i) {
                if (place[i] == r) row[i] += from[i];
              }
              write_row(row, dx, r);
            }
          }
        });
      });
}

}  // namespace gloss
