#pragma once

#include <cstdint>
#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

// Operations that make one row of many; the rules of ops.h hold.

/// One row for each span of rows [starts[s], starts[s + 1]): the mean of each column, or the largest number.
/// The result has `rows` rows; those behind the spans', and those of empty spans, are zeros.
Tensor mean_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows);
Tensor max_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows);

}  // namespace gloss
