#include "model/tensor/packed_matrix.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "model/tensor/kernels.h"
#include "model/tensor/onednn.h"
#include "model/tensor/pool.h"

namespace gloss {
namespace {

using onednn::data_type;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

constexpr std::int64_t kSomeRows = 64;  // the layout does not depend on the rows of x
// Outputs are made in panels: the sums of some rows stay near the processor until they are scaled, and oneDNN
// multiplies with a panel of a large vocabulary faster than with all of it.
constexpr std::int64_t kPanel = 2048;

/// The types of a product: x, weight, y.
struct ProductTypes {
  Type x, weight, y;
};

ProductTypes product_types(DType weight, DType y) {
  if (weight == DType::int8) return {Type::u8, Type::s8, Type::s32};
  return {data_type(weight), data_type(weight), data_type(y)};
}

/// A product with one panel that a thread keeps the primitive of.
struct Key {
  std::int64_t rows, in, out;
  std::int64_t y_stride;  // from one row of y to the next
  DType weight, y;
  bool bias, relu;
  bool operator==(const Key&) const = default;

  std::array<std::int64_t, 5> parts() const {
    const int flags = static_cast<int>(weight) + 4 * static_cast<int>(y) + 16 * bias + 32 * relu;
    return {rows, in, out, y_stride, flags};
  }
};

dnnl::matmul::primitive_desc describe_product(const Key& key, const dnnl::memory::desc& weight) {
  const ProductTypes types = product_types(key.weight, key.y);
  return onednn::describe({{key.rows, key.in}, types.x, Tag::ab}, weight,
                          {{key.rows, key.out}, types.y, dnnl::memory::dims{key.y_stride, 1}},
                          {.bias = key.bias, .relu = key.relu});
}

void multiply(const Key& key, const dnnl::memory& weight, const void* x, void* y, const float* bias) {
  try {
    onednn::product_for(key, key.bias, [&] { return describe_product(key, weight.get_desc()); })(
        x, weight.get_data_handle(), y, bias);
  } catch (const dnnl::error& error) {
    throw Error(concat("oneDNN could not multiply ", key.rows, " x ", key.in, " by a packed ", key.in, " x ",
                       key.out, ": ", error.what()));
  }
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
      offsets_.push_back(-128 * sum);  // bytes of x are 128 too large
    }
  }
  try {
    for (std::int64_t first = 0; first < out_; first += kPanel) {
      const std::int64_t count = std::min(kPanel, out_ - first);
      const Key some{kSomeRows, in_, count, out_, type, DType::f32, false, false};
      const auto description = describe_product(some, {{in_, count}, data_type(type), Tag::any});
      dnnl::memory packed(description.weights_desc(), onednn::engine());
      const char* const numbers =
          static_cast<const char*>(plain.numbers) + static_cast<std::size_t>(first * in_) * size_of(type);
      dnnl::memory from({{in_, count}, data_type(type), Tag::ba}, onednn::engine(),
                        const_cast<char*>(numbers));
      dnnl::reorder(from, packed).execute(onednn::stream(), from, packed);
      onednn::stream().wait();
      layout_->panels.push_back(std::move(packed));
    }
  } catch (const dnnl::error& error) {
    throw Error(concat("oneDNN could not pack a ", out_, " x ", in_, " matrix as ", name_of(type), ": ",
                       error.what()));
  }
}

PackedMatrix::~PackedMatrix() = default;

void PackedMatrix::multiply(const Rows& rows, const void* x, void* y) const {
  expects(rows.rows >= 2, "a packed matrix for ", rows.rows, " rows");
  if (type_ == DType::int8) return multiply_int8(rows, x, y);
  expects(rows.type == type_, "a matrix packed as ", name_of(type_), " for rows of ", name_of(rows.type));
  std::int64_t first = 0;
  for (const dnnl::memory& panel : layout_->panels) {
    const std::int64_t count = std::min(kPanel, out_ - first);
    gloss::multiply({rows.rows, in_, count, out_, type_, rows.result, rows.bias != nullptr, rows.relu}, panel,
                    x, static_cast<char*>(y) + static_cast<std::size_t>(first) * size_of(rows.result),
                    rows.bias != nullptr ? rows.bias + first : nullptr);
    first += count;
  }
}

void PackedMatrix::multiply_int8(const Rows& rows, const void* x, void* y) const {
  const PooledMemory bytes(static_cast<std::size_t>(rows.rows * in_)),
      sums(static_cast<std::size_t>(rows.rows * std::min(out_, kPanel)) * sizeof(std::int32_t)),
      scales(static_cast<std::size_t>(rows.rows) * sizeof(float));
  auto* const row_scales = static_cast<float*>(scales.data());
  for_dtype(rows.type, [&]<class Number>() {
    kernels().of<Number>().quantise_rows(
        static_cast<const Number*>(x), static_cast<std::uint8_t*>(bytes.data()), row_scales, rows.rows, in_);
  });
  std::int64_t first = 0;
  for (const dnnl::memory& panel : layout_->panels) {
    const std::int64_t count = std::min(kPanel, out_ - first);
    gloss::multiply({rows.rows, in_, count, count, type_, DType::f32, false, false}, panel, bytes.data(),
                    sums.data(), nullptr);
    for_dtype(rows.result, [&]<class Number>() {
      kernels().of<Number>().scale_sums(static_cast<const std::int32_t*>(sums.data()), row_scales,
                                        scales_.data() + first, offsets_.data() + first,
                                        rows.bias != nullptr ? rows.bias + first : nullptr, rows.relu,
                                        static_cast<Number*>(y) + first, out_, rows.rows, count);
    });
    first += count;
  }
}

bool can_multiply_int8() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512vnni") != 0;
#else
  return false;
#endif
}

}  // namespace gloss
