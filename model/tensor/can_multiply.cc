// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/can_multiply.h"

#include "model/tensor/onednn.h"

namespace gloss {

bool can_multiply(DType type) {
  if (type != DType::bf16) return type != DType::int4;
  static const bool can = [] {
    const dnnl::memory::desc square({64, 64}, dnnl::memory::data_type::bf16, dnnl::memory::format_tag::ab);
    try {
      onednn::describe(square, square, square, {});
      return true;
    } catch (const dnnl::error&) {
      return false;
    }
  }();
  return can;
}

}  // namespace gloss
