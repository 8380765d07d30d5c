// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// The arrays of all files that a Hugging Face index lists, such as model.safetensors.index.json; `read`
/// reads one of them. They must be in the folder of the index. Throws InputError if an array is missing or
/// occurs twice.
StoredArrays read_shards(const std::string& index_path,
                         const std::function<StoredArrays(const std::string&)>& read);

}  // namespace gloss
