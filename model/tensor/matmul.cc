// The only file that knows oneDNN, whose version 2 (Debian 12) and 3 (Debian 13) differ in how primitives are
// described.
#include "model/tensor/matmul.h"

#include <algorithm>
#include <dnnl.hpp>
#include <unordered_map>

#include "base/error.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

// Rows of C that threads share come in units of so many.
constexpr std::int64_t kRowUnit = 64;
// A transposed A is multiplied in panels of so many rows of C, whatever the number of threads: how oneDNN
// cuts the long sums over k depends on the shape that it is given.
constexpr std::int64_t kTransposedPanel = 256;

/// A product as one primitive computes it: `rows` rows of C.
struct Key {
  MatmulShape shape;
  std::int64_t rows;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const MatmulShape& s = key.shape;
    const int flags = s.transpose_a + 2 * s.transpose_b + 4 * s.bias + 8 * s.accumulate + 16 * s.relu +
                      32 * (s.type == DType::bf16) + 64 * (s.result == DType::bf16);
    auto hash = static_cast<std::size_t>(key.rows);
    for (const std::int64_t part : {s.m, s.n, s.k, std::int64_t(flags)}) {
      hash = hash * 0x9e3779b97f4a7c15ULL + static_cast<std::size_t>(part);
    }
    return hash ^ (hash >> 29);
  }
};

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

dnnl::memory::desc describe(std::int64_t rows, std::int64_t columns, DType type,
                            const dnnl::memory::dims& strides) {
  using Type = dnnl::memory::data_type;
  return {{rows, columns}, type == DType::f32 ? Type::f32 : Type::bf16, strides};
}

dnnl::matmul::primitive_desc describe_primitive(const Key& key) {
  using Strides = dnnl::memory::dims;
  const MatmulShape& s = key.shape;
  const auto a = describe(key.rows, s.k, s.type, s.transpose_a ? Strides{1, s.m} : Strides{s.k, 1});
  const auto b = describe(s.k, s.n, s.type, s.transpose_b ? Strides{1, s.k} : Strides{s.n, 1});
  const auto c = describe(key.rows, s.n, s.result, {s.n, 1});
  const auto bias = describe(1, s.n, DType::f32, {s.n, 1});
  dnnl::primitive_attr attributes;
  dnnl::post_ops after;
  if (s.accumulate) after.append_sum(1.0f);
#if DNNL_VERSION_MAJOR >= 3
  if (s.relu) after.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
  attributes.set_post_ops(after);
  if (s.bias) return {engine(), a, b, bias, c, attributes};
  return {engine(), a, b, c, attributes};
#else
  if (s.relu) after.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
  attributes.set_post_ops(after);
  if (s.bias) return {dnnl::matmul::desc(a, b, bias, c), attributes, engine()};
  return {dnnl::matmul::desc(a, b, c), attributes, engine()};
#endif
}

/// A primitive with memory objects that are pointed at the operands of each call.
struct Product {
  dnnl::matmul primitive;
  dnnl::memory a, b, c, bias;
  std::unordered_map<int, dnnl::memory> arguments;

  explicit Product(const Key& key) {
    const auto description = describe_primitive(key);
    primitive = dnnl::matmul(description);
    a = dnnl::memory(description.src_desc(), engine(), DNNL_MEMORY_NONE);
    b = dnnl::memory(description.weights_desc(), engine(), DNNL_MEMORY_NONE);
    c = dnnl::memory(description.dst_desc(), engine(), DNNL_MEMORY_NONE);
    arguments = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
    if (!key.shape.bias) return;
    bias = dnnl::memory(description.bias_desc(), engine(), DNNL_MEMORY_NONE);
    arguments.emplace(DNNL_ARG_BIAS, bias);
  }
};

/// What one thread keeps between products.
struct Workshop {
  static constexpr std::size_t kMost = 4096;  // primitives; more means shapes that never come again
  dnnl::stream stream{engine()};
  std::unordered_map<Key, Product, KeyHash> products;
  std::int64_t made = 0;
};

Workshop& workshop() {
  thread_local Workshop own;
  return own;
}

/// Operands of some rows of C.
struct Operands {
  const void *a, *b;
  void* c;
  const float* bias;
};

Operands from_row(const MatmulShape& shape, const Operands& whole, std::int64_t row) {
  const std::int64_t skipped = shape.transpose_a ? row : row * shape.k;
  return {static_cast<const char*>(whole.a) + static_cast<std::size_t>(skipped) * size_of(shape.type),
          whole.b,
          static_cast<char*>(whole.c) + static_cast<std::size_t>(row * shape.n) * size_of(shape.result),
          whole.bias};
}

void multiply(const Key& key, const Operands& operands) {
  Workshop& own = workshop();
  try {
    auto found = own.products.find(key);
    if (found == own.products.end()) {
      if (own.products.size() >= Workshop::kMost) own.products.clear();
      found = own.products.emplace(key, Product(key)).first;
      ++own.made;
    }
    Product& product = found->second;
    product.a.set_data_handle(const_cast<void*>(operands.a));
    product.b.set_data_handle(const_cast<void*>(operands.b));
    product.c.set_data_handle(operands.c);
    if (key.shape.bias) product.bias.set_data_handle(const_cast<float*>(operands.bias));
    product.primitive.execute(own.stream, product.arguments);
    own.stream.wait();
  } catch (const dnnl::error& error) {
    throw Error(concat("oneDNN could not multiply ", key.rows, " x ", key.shape.k, " by ", key.shape.k, " x ",
                       key.shape.n, ": ", error.what()));
  }
}

}  // namespace

void matmul(const MatmulShape& shape, const void* a, const void* b, void* c, const float* bias) {
  expects(shape.m >= 2 && shape.n >= 1 && shape.k >= 1, "matmul of ", shape.m, " x ", shape.k, " by ",
          shape.k, " x ", shape.n);
  expects(shape.bias == (bias != nullptr), "matmul: the shape and the arguments differ about a bias");
  const Operands whole{a, b, c, bias};
  const std::int64_t unit = shape.transpose_a ? kTransposedPanel : kRowUnit;
  // What is left over belongs to the last unit, so that none is a single row.
  const std::int64_t units = std::max<std::int64_t>(1, shape.m / unit);
  const auto end_of = [&](std::int64_t count) { return count == units ? shape.m : count * unit; };
  parallel_ranges(units, 1, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t step = shape.transpose_a ? 1 : last - first;
    for (std::int64_t at = first; at < last; at += step) {
      const std::int64_t row = at * unit;
      multiply({shape, end_of(at + step) - row}, from_row(shape, whole, row));
    }
  });
}

bool can_multiply(DType type) {
  const MatmulShape shape{.m = 64, .n = 64, .k = 64, .type = type, .result = type};
  try {
    describe_primitive({shape, shape.m});
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

std::int64_t matmul_primitives_made() { return workshop().made; }

}  // namespace gloss
