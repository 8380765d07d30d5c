// SPDX-License-Identifier: Apache-2.0

#pragma once

// Shared by all files that use oneDNN. Versions 2 (Debian 12) and 3 (Debian 13) create primitive descriptors
// differently.

#include <cstdint>
#include <dnnl.hpp>
#include <string>
#include <unordered_map>

#include "base/index.h"
#include "model/kernels/dtype.h"

namespace gloss::onednn {

dnnl::engine& engine();
/// The stream of the calling thread.
dnnl::stream& stream();
/// True if a row of a product has the same bits in any product of two or more rows; see even_rows.h.
bool rows_are_independent();

/// Operations fused into a product.
struct Extras {
  bool bias = false;
  bool accumulate = false;
};
/// Throws dnnl::error if this processor does not support the product.
dnnl::matmul::primitive_desc describe(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                      const dnnl::memory::desc& c, const Extras&);

/// A primitive with memory objects, which each call points at its operands.
class Product {
 public:
  explicit Product(const dnnl::matmul::primitive_desc&, bool bias);
  void operator()(const void* a, const void* b, void* c, const float* bias);

 private:
  dnnl::matmul primitive_;
  dnnl::memory a_, b_, c_, bias_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

/// Hash of a key by its `parts()`, which identify it.
template <class Key>
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t hash = 0;
    for (const std::int64_t part : key.parts()) {
      hash = hash * 0x9e3779b97f4a7c15ULL + index(part);
    }
    return hash ^ (hash >> 29);
  }
};

/// Throws std::bad_alloc unless there is memory for the code of a primitive: oneDNN 2.6 writes to a null
/// pointer if it cannot allocate that.
void expect_memory_for_code();
/// Throws std::bad_alloc if oneDNN had not enough memory, else Error with `doing`, such as "multiply".
[[noreturn]] void fail(const dnnl::error&, const std::string& doing);

/// The calling thread's primitive for `key`, cached because creation is slow; `describe()` returns its
/// descriptor. Throws dnnl::error if this processor does not support it.
template <class Key, class Describe>
Product& product_for(const Key& key, bool bias, Describe describe) {
  constexpr std::size_t kMost = 4096;  // more: shapes that never recur
  thread_local std::unordered_map<Key, Product, KeyHash<Key>> products;
  auto found = products.find(key);
  if (found == products.end()) {
    if (products.size() >= kMost) products.clear();
    expect_memory_for_code();
    found = products.emplace(key, Product(describe(), bias)).first;
  }
  return found->second;
}

inline dnnl::memory::data_type data_type(DType type) {
  using Type = dnnl::memory::data_type;
  return type == DType::f32 ? Type::f32 : Type::bf16;
}

}  // namespace gloss::onednn
