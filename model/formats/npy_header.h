// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/formats/foreign_arrays.h"
#include "model/formats/foreign_bytes.h"

namespace gloss {

/// What the header of a .npy file says.
struct NpyHeader {
  NumberType type;
  bool column_major = false;
  std::vector<std::int64_t> shape;
  std::uint64_t size = 0;  ///< bytes of the header, which the numbers follow
};

/// Reads the header of a .npy file of version 1, 2 or 3. Throws InputError, naming `where`, if there is none,
/// or for other types than little-endian numbers.
NpyHeader read_npy_header(const ForeignBytes& file, const std::string& where);

}  // namespace gloss
