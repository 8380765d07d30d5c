// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/packed_matrix.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/even_rows.h"
#include "model/tensor/onednn.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/relu.h"

namespace gloss {
namespace {

using onednn::data_type;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

constexpr std::int64_t kSomeRows = 64;  // row count for choosing the layout, which does not depend on it
// Outputs are computed in panels of columns, which stay in the cache until they are used. Each panel's
// results are contiguous, since oneDNN does not accept packed weights for strided results. Splitting rows
// into blocks limits the number of shapes, each of which needs a primitive.
constexpr std::int64_t kPanel = kScorePanel;
constexpr std::int64_t kBlockRows = 64;

/// True if products of matrices packed as this type need even rows; sums of int8 products are exact.
bool needs_even_rows(DType type) { return type != DType::int8 && !onednn::rows_are_independent(); }

/// Calls `use(first, count)` for blocks of rows. The last one also takes the remainder, unless the type needs
/// even rows.
template <class Use>
void each_block(DType type, std::int64_t rows, Use use) {
  std::int64_t first = 0;
  if (needs_even_rows(type)) {
    for (; rows - first > kEvenBlock; first += kEvenBlock) use(first, kEvenBlock);
  } else {
    for (; rows - first >= 2 * kBlockRows; first += kBlockRows) use(first, kBlockRows);
  }
  use(first, rows - first);
}

/// The layout in which a panel [in, count] is packed.
dnnl::memory::desc panel_layout(DType type, std::int64_t in, std::int64_t count) {
  if (!needs_even_rows(type)) return {{in, count}, data_type(type), Tag::any};
  // Without AVX-512, oneDNN asks for plain rows.
  return {{in, count}, data_type(type), dnnl::memory::dims{spread_stride(count), 1}};
}

/// Element types of a product: x, weight, y.
struct ProductTypes {
  Type x, weight, y;
};

ProductTypes product_types(DType weight, DType y) {
  if (weight == DType::int8) return {Type::u8, Type::s8, Type::s32};
  return {data_type(weight), data_type(weight), data_type(y)};
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
  const ProductTypes types = product_types(key.weight, key.y);
  return onednn::describe({{key.rows, key.in}, types.x, Tag::ab}, weight,
                          {{key.rows, key.out}, types.y, Tag::ab}, {.bias = key.bias});
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
  if (!needs_even_rows(key.weight)) return multiply_block(key, weight, x, y, bias);
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

struct PackedMatrix::Layout {
  std::vector<dnnl::memory> panels;
};

PackedMatrix::PackedMatrix(const StoredMatrix& weight, DType type)
    : type_(type), out_(weight.rows), in_(weight.columns), layout_(std::make_unique<Layout>()) {
  const ConvertedMatrix converted(weight, type);
  const StoredMatrix& plain = converted.matrix();
  if (type == DType::int8) {
    scales_.assign(plain.scales, plain.scales + out_);
    const auto* numbers = static_cast<const std::int8_t*>(plain.numbers);
    for (std::int64_t o = 0; o < out_; ++o) {
      std::int32_t sum = 0;
      for (std::int64_t i = 0; i < in_; ++i) sum += numbers[o * in_ + i];
      offsets_.push_back(-128 * sum);  // quantised x has an offset of 128
    }
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

/// Results of some rows with a panel of the matrix, row after row; for int8 the sums and the scales of the
/// rows.
struct PackedMatrix::Panel {
  std::int64_t row, rows, first, count;
  const void* results;
  const float* row_scales;
};

template <class Use>
void PackedMatrix::each_panel(const Rows& rows, const void* x, Use use) const {
  const bool small = type_ == DType::int8;
  const auto row_bytes = index(in_) * size_of(small ? DType::int8 : rows.type);
  const PooledMemory quantised(small ? index(rows.rows) * row_bytes : 0),
      scales(small ? index(rows.rows) * sizeof(float) : 0);
  auto* const row_scales = static_cast<float*>(scales.data());
  if (small) {
    for_dtype(rows.type, [&]<class Number>() {
      kernels().of<Number>().quantise_rows(static_cast<const Number*>(x),
                                           static_cast<std::uint8_t*>(quantised.data()), row_scales,
                                           rows.rows, in_);
    });
    x = quantised.data();
  }
  const PooledMemory results(index(std::min(rows.rows, 2 * kBlockRows) * std::min(out_, kPanel)) *
                             sizeof(float));
  std::int64_t first = 0;
  for (const dnnl::memory& weights : layout_->panels) {
    const std::int64_t count = std::min(kPanel, out_ - first);
    const float* const bias = small || rows.bias == nullptr ? nullptr : rows.bias + first;
    each_block(type_, rows.rows, [&](std::int64_t row, std::int64_t size) {
      gloss::multiply({size, in_, count, type_, rows.result, bias != nullptr}, weights,
                      static_cast<const char*>(x) + index(row) * row_bytes, results.data(), bias);
      if (rows.relu && !small) relu(rows.result, results.data(), size * count);
      use(Panel{row, size, first, count, results.data(), row_scales + row});
    });
    first += count;
  }
}

template <class Number>
void PackedMatrix::scale_rows(const Rows& rows, const Panel& panel, std::int64_t row, std::int64_t count,
                              Number* y, std::int64_t y_stride) const {
  kernels().of<Number>().scale_sums(
      {.sums = static_cast<const std::int32_t*>(panel.results) + row * panel.count,
       .row_scales = panel.row_scales + row,
       .column_scales = scales_.data() + panel.first,
       .column_offsets = offsets_.data() + panel.first,
       .bias = rows.bias != nullptr ? rows.bias + panel.first : nullptr,
       .relu = rows.relu,
       .y = y,
       .y_stride = y_stride,
       .rows = count,
       .columns = panel.count});
}

void PackedMatrix::check(const Rows& rows) const {
  expects(rows.rows >= 2, "a packed matrix needs at least 2 rows, found ", rows.rows);
  expects(rows.type == type_ || type_ == DType::int8, "a matrix packed as ", name_of(type_), " for rows of ",
          name_of(rows.type));
}

void PackedMatrix::multiply(const Rows& rows, const void* x, void* y) const {
  check(rows);
  if (type_ != DType::int8 && out_ <= kPanel) {
    const auto row_bytes = [&](std::int64_t width, DType type) { return index(width) * size_of(type); };
    return each_block(type_, rows.rows, [&](std::int64_t row, std::int64_t size) {
      const auto at = index(row);
      char* const to = static_cast<char*>(y) + at * row_bytes(out_, rows.result);
      gloss::multiply({size, in_, out_, type_, rows.result, rows.bias != nullptr}, layout_->panels.front(),
                      static_cast<const char*>(x) + at * row_bytes(in_, rows.type), to, rows.bias);
      if (rows.relu) relu(rows.result, to, size * out_);
    });
  }
  for_dtype(rows.result, [&]<class Number>() {
    each_panel(rows, x, [&](const Panel& panel) {
      auto* const to = static_cast<Number*>(y) + panel.row * out_ + panel.first;
      if (type_ == DType::int8) return scale_rows(rows, panel, 0, panel.rows, to, out_);
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
  const PooledMemory scaled(kPanel * sizeof(float));
  each_panel(rows, x, [&](const Panel& panel) {
    for (std::int64_t row = 0; row < panel.rows; ++row) {
      const float* y = static_cast<const float*>(panel.results) + row * panel.count;
      if (type_ == DType::int8) {
        scale_rows(rows, panel, row, 1, static_cast<float*>(scaled.data()), panel.count);
        y = static_cast<const float*>(scaled.data());
      }
      use(panel.row + row, panel.first, panel.count, y);
    }
  });
}

}  // namespace gloss
