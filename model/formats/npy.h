// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/formats/stored_arrays.h"
#include "model/formats/stored_bytes.h"

namespace gloss {

/// The array of a .npy file of NumPy, in either order of dimensions. Throws InputError with `where`, its
/// name.
StoredArray read_npy(const std::shared_ptr<const StoredBytes>&, const std::string& where);
/// The same for a file of its own, which is mapped.
StoredArray read_npy(const std::string& path);

}  // namespace gloss
