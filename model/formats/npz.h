// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// The arrays of an .npz file of NumPy, a zip archive of .npy files: floating-point numbers, signed whole
/// numbers, bytes and booleans, in either order of dimensions. Throws InputError that names file and array.
StoredArrays read_npz(const std::string& path);

}  // namespace gloss
