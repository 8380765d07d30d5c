#pragma once

// What the files that know oneDNN share. Version 2 (Debian 12) and 3 (Debian 13) differ in how primitives are
// described.

#include <dnnl.hpp>
#include <unordered_map>

#include "model/tensor/dtype.h"

namespace gloss::onednn {

dnnl::engine& engine();
/// The calling thread's.
dnnl::stream& stream();

/// What a product does besides multiplying.
struct Extras {
  bool bias = false;
  bool relu = false;
  bool accumulate = false;
};
/// Throws dnnl::error if this processor cannot.
dnnl::matmul::primitive_desc describe(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                      const dnnl::memory::desc& c, const Extras&);

/// A primitive with memory objects that are pointed at the operands of each call.
class Product {
 public:
  explicit Product(const dnnl::matmul::primitive_desc&, bool bias);
  void operator()(const void* a, const void* b, void* c, const float* bias);

 private:
  dnnl::matmul primitive_;
  dnnl::memory a_, b_, c_, bias_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

/// One primitive was made by the calling thread.
void count_primitive();

inline dnnl::memory::data_type data_type(DType type) {
  using Type = dnnl::memory::data_type;
  return type == DType::f32 ? Type::f32 : type == DType::bf16 ? Type::bf16 : Type::s8;
}

}  // namespace gloss::onednn
