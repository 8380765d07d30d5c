// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// An array of an .npz file to write.
struct NpzArray {
  std::string name;
  NumberType type = NumberType::f32;  ///< f32 or i8
  std::vector<std::int64_t> shape;
  /// The numbers in row-major order, which stay valid until the next call for any array.
  std::function<std::span<const std::byte>()> bytes;
};

/// Writes an .npz file of NumPy, in the given order, one array after another. The same arrays give the same
/// bytes. Programs that read the archive from its start, as Marian does, can read it too; arrays and archives
/// of 4 GiB and more have the 64-bit sizes of zip. Throws Error.
void write_npz(const std::string& path, const std::vector<NpzArray>& arrays);

}  // namespace gloss
