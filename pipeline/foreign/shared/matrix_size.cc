// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/matrix_size.h"

#include "base/error.h"

namespace gloss {

int size_of_matrix(const StoredArray& array, std::size_t dimension) {
  constexpr std::int64_t kMost = 1 << 24;
  if (array.shape().size() != 2 || array.shape()[dimension] < 1 || array.shape()[dimension] > kMost) {
    throw InputError(concat(array.where(), " has the shape ", shape_text(array.shape()),
                            "; expected a matrix of up to ", kMost, " rows and columns"));
  }
  return static_cast<int>(array.shape()[dimension]);
}

}  // namespace gloss
