// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/relu.h"

#include "model/kernels/kernels.h"

namespace gloss {

// oneDNN's ReLU would replace NaN by 0, so that an overflow would give a wrong result instead of an error.
void relu(DType type, void* numbers, std::int64_t count) {
  for_dtype(type, [&]<class Number>() { kernels().of<Number>().relu(static_cast<Number*>(numbers), count); });
}

}  // namespace gloss
