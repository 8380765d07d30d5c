// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// Those of the names that are weights in a form that gloss does not read, such as tf_model.h5,
/// sorted.
std::vector<std::string> unread_weights(const std::vector<std::string>& names);

/// The weights of a directory of transformers, in the preferred of the forms that it has. Throws InputError
/// if it has none.
std::shared_ptr<const StoredArrays> read_hugging_face_weights(const std::string& directory);

}  // namespace gloss
