// SPDX-License-Identifier: Apache-2.0
// Operations that move rows and columns, tanh, and dropout of rows: see ops_recurrent.h.
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_recurrent.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kPlaces("move rows and columns");
const ProfiledOperation kTanh("tanh");
const ProfiledOperation kDropout("dropout of rows");

constexpr std::int64_t kPlacesCountGrain = 16384;  // minimum elements per thread; whole vectors

void copy(const void* from, void* to, std::int64_t count, DType type) {
  std::memcpy(to, from, index(count) * size_of(type));
}

void add(const void* from, void* to, std::int64_t count, DType type) {
  for_dtype(type, [&]<class Number>() {
    kernels().of<Number>().add(static_cast<Number*>(to), static_cast<const Number*>(from), count);
  });
}

/// The address of an element.
void* place(const Tensor& tensor, std::int64_t row, std::int64_t column) {
  return static_cast<char*>(tensor.raw_row(row)) + index(column) * size_of(tensor.dtype());
}

/// Adds `count` columns of one tensor to columns of another.
void add_columns(const Tensor& from, std::int64_t from_first, const Tensor& to, std::int64_t to_first,
                 std::int64_t count) {
  for (std::int64_t r = 0; r < from.rows(); ++r) {
    add(place(from, r, from_first), place(to, r, to_first), count, from.dtype());
  }
}

}  // namespace

Tensor tanh(const Tensor& x) {
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  {
    const ProfiledTime time(kTanh, 20 * y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(y.count(), kPlacesCountGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().tanh(x.data_as<Number>() + first, y.data_as<Number>() + first, last - first);
      });
    });
  }
  return record(
      y, {x.without_values()}, [result = y.without_gradient()](const Tensor& dy, std::span<const Tensor> of) {
        const GradientSlot dx = of[0].gradient_slot();
        const ProfiledTime time(kTanh, 4 * dy.count(), 3 * dy.bytes());
        for_dtype(dy.dtype(), [&]<class Number>() {
          kernels().of<Number>().tanh_gradient(dy.data_as<Number>(), result.data_as<Number>(),
                                               dx.values.data_as<Number>(), dx.accumulate, dy.count());
        });
      });
}

Tensor dropout(const Tensor& x, const DropoutMask& mask, std::vector<int> numbers) {
  if (mask.threshold == 0) return x;
  expects(static_cast<std::int64_t>(numbers.size()) == x.rows(), "dropout: ", numbers.size(), " numbers for ",
          x.rows(), " rows");
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  {
    const ProfiledTime time(kDropout, y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      for (std::int64_t r = 0; r < x.rows(); ++r) {
        kernels().of<Number>().dropout_gradient(
            {.gradient = static_cast<const Number*>(x.raw_row(r)),
             .branch = static_cast<Number*>(y.raw_row(r)),
             .accumulate = false,
             .dropout = mask},
            {.first = numbers[index(r)], .rows = 1, .width = x.columns()});
      }
    });
  }
  return record(y, {x.without_values()},
                [mask, numbers = std::move(numbers)](const Tensor& dy, std::span<const Tensor> of) {
                  const GradientSlot dx = of[0].gradient_slot();
                  const ProfiledTime time(kDropout, dy.count(), 2 * dy.bytes());
                  for_dtype(dy.dtype(), [&]<class Number>() {
                    for (std::int64_t r = 0; r < dy.rows(); ++r) {
                      kernels().of<Number>().dropout_gradient(
                          {.gradient = static_cast<const Number*>(dy.raw_row(r)),
                           .branch = static_cast<Number*>(dx.values.raw_row(r)),
                           .accumulate = dx.accumulate,
                           .dropout = mask},
                          {.first = numbers[index(r)], .rows = 1, .width = dy.columns()});
                    }
                  });
                });
}

Tensor take_rows(const Tensor& x, std::vector<int> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  Tensor y = Tensor::uninitialised({count, x.columns()}, x.dtype());
  {
    const ProfiledTime time(kPlaces, 0, 2 * y.bytes());
    for (std::int64_t r = 0; r < count; ++r) {
      const int from = rows[index(r)];
      expects(from >= -1 && from < x.rows(), "take_rows: row ", from, " of ", x.rows());
      if (from < 0) {
        std::memset(y.raw_row(r), 0, index(y.bytes() / count));
      } else {
        copy(x.raw_row(from), y.raw_row(r), x.columns(), x.dtype());
      }
    }
  }
  return record(
      y, {x.without_values()}, [rows = std::move(rows)](const Tensor& dy, std::span<const Tensor> of) {
        // Sequential: several rows may add to the same one.
        const ProfiledTime time(kPlaces, dy.count(), 3 * dy.bytes());
        const Tensor dx = of[0].gradient();
        for (std::size_t r = 0; r < rows.size(); ++r) {
          if (rows[r] < 0) continue;
          add(dy.raw_row(static_cast<std::int64_t>(r)), dx.raw_row(rows[r]), dy.columns(), dy.dtype());
        }
      });
}

Tensor put_rows(std::span<const Tensor> pieces, std::vector<std::vector<int>> places, std::int64_t rows) {
  expects(!pieces.empty() && pieces.size() == places.size(), "put_rows: ", pieces.size(), " pieces, ",
          places.size(), " lists of places");
  const std::int64_t width = pieces[0].columns();
  Tensor y = Tensor::zeros({rows, width}, pieces[0].dtype());
  std::vector<Tensor> inputs;
  {
    const ProfiledTime time(kPlaces, 0, 3 * y.bytes());
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      expects(pieces[p].columns() == width && pieces[p].dtype() == y.dtype() &&
                  static_cast<std::int64_t>(places[p].size()) <= pieces[p].rows(),
              "put_rows: a piece of shape ", pieces[p].shape().text(), " for ", places[p].size(), " places");
      for (std::size_t r = 0; r < places[p].size(); ++r) {
        if (places[p][r] < 0) continue;
        expects(places[p][r] < rows, "put_rows: place ", places[p][r], " of ", rows);
        copy(pieces[p].raw_row(static_cast<std::int64_t>(r)), y.raw_row(places[p][r]), width, y.dtype());
      }
      inputs.push_back(pieces[p].without_values());
    }
  }
  return record(
      y, std::move(inputs), [places = std::move(places)](const Tensor& dy, std::span<const Tensor> of) {
        const ProfiledTime time(kPlaces, dy.count(), 3 * dy.bytes());
        for (std::size_t p = 0; p < of.size(); ++p) {
          if (!of[p].wants_gradient()) continue;
          const Tensor dx = of[p].gradient();
          for (std::size_t r = 0; r < places[p].size(); ++r) {
            if (places[p][r] < 0) continue;
            add(dy.raw_row(places[p][r]), dx.raw_row(static_cast<std::int64_t>(r)), dy.columns(), dy.dtype());
          }
        }
      });
}

Tensor take_columns(const Tensor& x, std::int64_t first, std::int64_t count) {
  expects(first >= 0 && count > 0 && first + count <= x.columns(), "take_columns: ", count, " from ", first,
          " of ", x.columns());
  if (count == x.columns()) return x;
  Tensor y = Tensor::uninitialised({x.rows(), count}, x.dtype());
  {
    const ProfiledTime time(kPlaces, 0, 2 * y.bytes());
    for (std::int64_t r = 0; r < x.rows(); ++r) copy(place(x, r, first), y.raw_row(r), count, x.dtype());
  }
  return record(y, {x.without_values()}, [first, count](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kPlaces, dy.count(), 3 * dy.bytes());
    add_columns(dy, 0, of[0].gradient(), first, count);
  });
}

Tensor gather_columns(const Tensor& x, std::vector<int> columns) {
  const std::int64_t rows = x.rows(), width = x.columns(), count = static_cast<std::int64_t>(columns.size());
  for (const int column : columns)
    expects(column >= 0 && column < width, "gather_columns: column ", column, " of ", width);
  Tensor y = Tensor::uninitialised({rows, count});
  {
    const ProfiledTime time(kPlaces, 0, 2 * y.bytes());
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < count; ++c)
        y.data()[r * count + c] = x.data()[r * width + columns[index(c)]];
    }
  }
  return record(y, {x.without_values()},
                [columns = std::move(columns)](const Tensor& dy, std::span<const Tensor> of) {
                  const ProfiledTime time(kPlaces, dy.count(), 3 * dy.bytes());
                  const Tensor dx = of[0].gradient();
                  for (std::int64_t r = 0; r < dy.rows(); ++r) {
                    for (std::int64_t c = 0; c < dy.columns(); ++c) {
                      dx.data()[r * dx.columns() + columns[index(c)]] += dy.data()[r * dy.columns() + c];
                    }
                  }
                });
}

Tensor join_columns(std::span<const Tensor> parts) {
  expects(!parts.empty(), "join_columns: no parts");
  if (parts.size() == 1) return parts[0];
  std::int64_t width = 0;
  std::vector<Tensor> inputs;
  for (const Tensor& part : parts) {
    expects(part.rows() == parts[0].rows() && part.dtype() == parts[0].dtype(),
            "join_columns: parts of shape ", part.shape().text(), " and ", parts[0].shape().text());
    width += part.columns();
    inputs.push_back(part.without_values());
  }
  Tensor y = Tensor::uninitialised({parts[0].rows(), width}, parts[0].dtype());
  {
    const ProfiledTime time(kPlaces, 0, 2 * y.bytes());
    std::int64_t column = 0;
    for (const Tensor& part : parts) {
      for (std::int64_t r = 0; r < part.rows(); ++r) {
        copy(part.raw_row(r), place(y, r, column), part.columns(), y.dtype());
      }
      column += part.columns();
    }
  }
  return record(y, std::move(inputs), [](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kPlaces, dy.count(), 3 * dy.bytes());
    std::int64_t column = 0;
    for (const Tensor& part : of) {
      if (part.wants_gradient()) add_columns(dy, column, part.gradient(), 0, part.columns());
      column += part.columns();
    }
  });
}

}  // namespace gloss
