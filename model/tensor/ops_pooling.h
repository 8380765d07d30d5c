// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

// Operations that reduce several rows to one; the rules of ops.h apply.

/// One row for each span of rows [starts[s], starts[s + 1]): the mean or the maximum of each column. The
/// result has `rows` rows; those of empty spans and those after the last span are zeros.
Tensor mean_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows);
Tensor max_of_rows(const Tensor& x, std::vector<int> starts, std::int64_t rows);

}  // namespace gloss
