// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// The arrays of a .bin file of Marian: float32, float16, and matrices quantised to 8 or 16 bits, portable or
/// arranged for an instruction set, which are widened and have the rows and columns of the original. The
/// settings are the text `special:model.yml`. Throws InputError that names file and array.
StoredArrays read_marian_binary(const std::string& path);

}  // namespace gloss
