// The only file that knows oneDNN, whose version 2 (Debian 12) and 3 (Debian 13) differ in how primitives are
// described.
#include "model/tensor/matmul.h"

#include <dnnl.hpp>
#include <unordered_map>

#include "base/error.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

struct Key {
  MatmulShape shape;
  int threads;  // a primitive is made for a number of threads
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const MatmulShape& s = key.shape;
    std::size_t hash = static_cast<std::size_t>(s.m);
    for (const auto part :
         {s.n, s.k, std::int64_t(key.threads),
          std::int64_t(s.transpose_a + 2 * s.transpose_b + 4 * s.bias + 8 * s.accumulate)}) {
      hash = hash * 0x9e3779b97f4a7c15ULL + static_cast<std::size_t>(part);
    }
    return hash ^ (hash >> 29);
  }
};

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

dnnl::memory::desc describe(std::int64_t rows, std::int64_t columns, bool transposed) {
  using Tag = dnnl::memory::format_tag;
  return {{rows, columns}, dnnl::memory::data_type::f32, transposed ? Tag::ba : Tag::ab};
}

dnnl::matmul::primitive_desc describe_primitive(const MatmulShape& s) {
  const auto a = describe(s.m, s.k, s.transpose_a);
  const auto b = describe(s.k, s.n, s.transpose_b);
  const auto c = describe(s.m, s.n, false);
  dnnl::primitive_attr attributes;
  if (s.accumulate) {
    dnnl::post_ops after;
    after.append_sum(1.0f);
    attributes.set_post_ops(after);
  }
#if DNNL_VERSION_MAJOR >= 3
  if (s.bias) return {engine(), a, b, describe(1, s.n, false), c, attributes};
  return {engine(), a, b, c, attributes};
#else
  if (s.bias) return {dnnl::matmul::desc(a, b, describe(1, s.n, false), c), attributes, engine()};
  return {dnnl::matmul::desc(a, b, c), attributes, engine()};
#endif
}

/// A primitive with memory objects that are pointed at the operands of each call.
struct Product {
  dnnl::matmul primitive;
  dnnl::memory a, b, c, bias;
  std::unordered_map<int, dnnl::memory> arguments;

  explicit Product(const MatmulShape& shape) {
    const auto description = describe_primitive(shape);
    primitive = dnnl::matmul(description);
    a = dnnl::memory(description.src_desc(), engine(), DNNL_MEMORY_NONE);
    b = dnnl::memory(description.weights_desc(), engine(), DNNL_MEMORY_NONE);
    c = dnnl::memory(description.dst_desc(), engine(), DNNL_MEMORY_NONE);
    arguments = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
    if (!shape.bias) return;
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

}  // namespace

void matmul(const MatmulShape& shape, const float* a, const float* b, float* c, const float* bias) {
  expects(shape.m >= 2 && shape.n >= 1 && shape.k >= 1, "matmul of ", shape.m, " x ", shape.k, " by ",
          shape.k, " x ", shape.n);
  expects(shape.bias == (bias != nullptr), "matmul: the shape and the arguments differ about a bias");
  Workshop& own = workshop();
  try {
    const Key key{shape, threads_per_operation()};
    auto found = own.products.find(key);
    if (found == own.products.end()) {
      if (own.products.size() >= Workshop::kMost) own.products.clear();
      found = own.products.emplace(key, Product(shape)).first;
      ++own.made;
    }
    Product& product = found->second;
    product.a.set_data_handle(const_cast<float*>(a));
    product.b.set_data_handle(const_cast<float*>(b));
    product.c.set_data_handle(c);
    if (shape.bias) product.bias.set_data_handle(const_cast<float*>(bias));
    product.primitive.execute(own.stream, product.arguments);
    own.stream.wait();
  } catch (const dnnl::error& error) {
    throw Error(concat("oneDNN could not multiply ", shape.m, " x ", shape.k, " by ", shape.k, " x ", shape.n,
                       ": ", error.what()));
  }
}

std::int64_t matmul_primitives_made() { return workshop().made; }

}  // namespace gloss
