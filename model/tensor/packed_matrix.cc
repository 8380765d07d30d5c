// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/packed_matrix.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/token_scores.h"
#include "model/tensor/even_rows.h"
#include "model/tensor/int8_matrix.h"
#include "model/tensor/onednn.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/relu.h"

namespace gloss {
namespace {

using onednn::data_type;
using Tag = dnnl::memory::format_tag;

constexpr std::int64_t kSomeRows = 64;  // row count for choosing the layout, which does not depend on it
// Outputs are computed in panels of columns, which stay in the cache until they are used. Each panel's
// results are contiguous, since oneDNN does not accept packed weights for strided results. Splitting rows
// into blocks limits the number of shapes, each of which needs a primitive.
constexpr std::int64_t kPanel = kScorePanel;
constexpr std::int64_t kBlockRows = 64;

/// Calls `use(first, count)` for blocks of rows. The last one also takes the remainder, unless rows must be
/// even.
template <class Use>
void each_block(std::int64_t rows, Use use) {
  std::int64_t first = 0;
  if (!onednn::rows_are_independent()) {
    for (; rows - first > kEvenBlock; first += kEvenBlock) use(first, kEvenBlock);
  } else {
    for (; rows - first >= 2 * kBlockRows; first += kBlockRows) use(first, kBlockRows);
  }
  use(first, rows - first);
}

/// The layout in which a panel [in, count] is packed.
dnnl::memory::desc panel_layout(DType type, std::int64_t in, std::int64_t count) {
  if (onednn::rows_are_independent()) return {{in, count}, data_type(type), Tag::any};
  // Without AVX-512, oneDNN asks for plain rows.
  return {{in, count}, data_type(type), dnnl::memory::dims{spread_stride(count), 1}};
}

/// Cache key of a thread's primitives: one product with one panel.
struct PackedProductKey {
  std::int64_t rows, in, out;
  DType weight, y;
  bool bias;
  bool operator==(const PackedProductKey&) const = default;

  std::array<std::int64_t, 4> parts() const {
    const int flags = static_cast<int>(weight) + 4 * static_cast<int>(y) + 16 * bias;
    return {rows, in, out, flags};
  }
};

dnnl::matmul::primitive_desc describe_product(const PackedProductKey& key, const dnnl::memory::desc& weight) {
  return onednn::describe({{key.rows, key.in}, data_type(key.weight), Tag::ab}, weight,
                          {{key.rows, key.out}, data_type(key.y), Tag::ab}, {.bias = key.bias});
}

void multiply_block(const PackedProductKey& key, const dnnl::memory& weight, const void* x, void* y,
                    const float* bias) {
  try {
    onednn::product_for(key, key.bias, [&] { return describe_product(key, weight.get_desc()); })(
        x, weight.get_data_handle(), y, bias);
  } catch (const dnnl::error& error) {
    onednn::fail(error,
                 concat("multiply ", key.rows, " x ", key.in, " by a packed ", key.in, " x ", key.out));
  }
}

/// Multiplies a block of `each_block`.
void multiply(const PackedProductKey& key, const dnnl::memory& weight, const void* x, void* y,
              const float* bias) {
  if (onednn::rows_are_independent()) return multiply_block(key, weight, x, y, bias);
  const EvenRows block{.count = key.rows,
                       .x_row = index(key.in) * size_of(key.weight),
                       .y_row = index(key.out) * size_of(key.y)};
  multiply_even_rows(block, x, y, [&](std::int64_t rows, const void* even_x, void* even_y) {
    PackedProductKey even = key;
    even.rows = rows;
    multiply_block(even, weight, even_x, even_y, bias);
  });
}

}  // namespace

/// Either panels for oneDNN, or an int8 matrix.
struct PackedMatrix::Layout {
  std::vector<dnnl::memory> panels;
  std::optional<Int8Matrix> int8;
};

PackedMatrix::PackedMatrix(const StoredMatrix& weight, DType type)
    : type_(type), out_(weight.rows), in_(weight.columns), layout_(std::make_unique<Layout>()) {
  const ConvertedMatrix converted(weight, type);
  const StoredMatrix& plain = converted.matrix();
  if (type == DType::int8) {
    layout_->int8.emplace(plain);
    return;
  }
  try {
    for (std::int64_t first = 0; first < out_; first += kPanel) {
      const std::int64_t count = std::min(kPanel, out_ - first);
      onednn::expect_memory_for_code();
      const PackedProductKey some{kSomeRows, in_, count, type, DType::f32, false};
      const auto description = describe_product(some, panel_layout(type, in_, count));
      dnnl::memory packed(description.weights_desc(), onednn::engine());
      const char* const numbers =
          static_cast<const char*>(plain.numbers) + index(first * in_) * size_of(type);
      dnnl::memory from({{in_, count}, data_type(type), Tag::ba}, onednn::engine(),
                        const_cast<char*>(numbers));
      dnnl::reorder(from, packed).execute(onednn::stream(), from, packed);
      onednn::stream().wait();
      layout_->panels.push_back(std::move(packed));
    }
  } catch (const dnnl::error& error) {
    onednn::fail(error, concat("pack a ", out_, " x ", in_, " matrix as ", name_of(type)));
  }
}

PackedMatrix::~PackedMatrix() = default;

template <class Use>
void PackedMatrix::each_panel(const Rows& rows, const void* x, Use use) const {
  const auto row_bytes = index(in_) * size_of(rows.type);
  const auto rows_at = [&](std::int64_t row) { return static_cast<const char*>(x) + index(row) * row_bytes; };
  std::vector<QuantisedRows> quantised;
  if (layout_->int8) {
    each_block(rows.rows, [&](std::int64_t row, std::int64_t size) {
      quantised.emplace_back(rows.type, rows_at(row), size, in_);
    });
  }
  const PooledMemory results(index(std::min(rows.rows, 2 * kBlockRows) * std::min(out_, kPanel)) *
                             sizeof(float));
  for (std::int64_t first = 0; first < out_; first += kPanel) {
    const std::int64_t count = std::min(kPanel, out_ - first);
    std::size_t block = 0;
    each_block(rows.rows, [&](std::int64_t row, std::int64_t size) {
      if (layout_->int8) {
        layout_->int8->multiply(quantised[block++],
                                {.first = first,
                                 .count = count,
                                 .bias = rows.bias,
                                 .relu = rows.relu,
                                 .type = rows.result,
                                 .y_stride = count},
                                results.data());
      } else {
        const float* const bias = rows.bias == nullptr ? nullptr : rows.bias + first;
        gloss::multiply({size, in_, count, type_, rows.result, bias != nullptr},
                        layout_->panels[index(first / kPanel)], rows_at(row), results.data(), bias);
        if (rows.relu) relu(rows.result, results.data(), size * count);
      }
      use(Panel{row, size, first, count, results.data()});
    });
  }
}

void PackedMatrix::check(const Rows& rows) const {
  expects(rows.rows >= 2, "a packed matrix needs at least 2 rows, found ", rows.rows);
  expects(rows.type == type_ || type_ == DType::int8, "a matrix packed as ", name_of(type_), " for rows of ",
          name_of(rows.type));
}

void PackedMatrix::multiply(const Rows& rows, const void* x, void* y) const {
  check(rows);
  if (layout_->int8 || out_ <= kPanel) {
    const auto row_bytes = [&](std::int64_t width, DType type) { return index(width) * size_of(type); };
    return each_block(rows.rows, [&](std::int64_t row, std::int64_t size) {
      const auto at = index(row);
      const char* const from = static_cast<const char*>(x) + at * row_bytes(in_, rows.type);
      char* const to = static_cast<char*>(y) + at * row_bytes(out_, rows.result);
      if (layout_->int8) {
        return layout_->int8->multiply(
            QuantisedRows(rows.type, from, size, in_),
            {.count = out_, .bias = rows.bias, .relu = rows.relu, .type = rows.result, .y_stride = out_}, to);
      }
      gloss::multiply({size, in_, out_, type_, rows.result, rows.bias != nullptr}, layout_->panels.front(),
                      from, to, rows.bias);
      if (rows.relu) relu(rows.result, to, size * out_);
    });
  }
  for_dtype(rows.result, [&]<class Number>() {
    each_panel(rows, x, [&](const Panel& panel) {
      auto* const to = static_cast<Number*>(y) + panel.row * out_ + panel.first;
      const auto* const from = static_cast<const Number*>(panel.results);
      for (std::int64_t row = 0; row < panel.rows; ++row) {
        std::copy_n(from + row * panel.count, panel.count, to + row * out_);
      }
    });
  });
}

void PackedMatrix::multiply_by_panels(const Rows& rows, const void* x, const UsePanel& use) const {
  check(rows);
  expects(rows.result == DType::f32, "panels of results in ", name_of(rows.result));
  each_panel(rows, x, [&](const Panel& panel) {
    for (std::int64_t row = 0; row < panel.rows; ++row) {
      use(panel.row + row, panel.first, panel.count,
          static_cast<const float*>(panel.results) + row * panel.count);
    }
  });
}

}  // namespace gloss
