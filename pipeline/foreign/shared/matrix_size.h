// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// The rows (dimension 0) or columns (1) of a matrix. Throws InputError for other shapes.
int size_of_matrix(const StoredArray&, std::size_t dimension);

}  // namespace gloss
