// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// The arrays of a safetensors file of another program, with all its types and shapes. Throws InputError
/// naming the file and the tensor.
StoredArrays read_foreign_safetensors(const std::string& path);

}  // namespace gloss
