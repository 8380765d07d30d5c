// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// A part of a parameter as an array of another program.
struct ExportedArray {
  std::string name;
  std::vector<std::int64_t> shape;
  StoredMatrix rows;        ///< those of the part, in the form in which gloss stores them
  bool transposed = false;  ///< the array is [in, out]
  int spare_rows = 0;       ///< of zeros, before the part
  float factor = 1;         ///< the part is the array times this

  std::size_t count() const;
  /// All numbers as f32, in the order of the array.
  void read(std::span<float> all) const;
};

/// The parameters of a network that are not gathered, in the order of their declaration, as arrays of another
/// program. Throws BrokenPromise if the map lacks one. The arrays refer to the parameters, which must outlive
/// them.
std::vector<ExportedArray> exported_arrays(const Parameters&, const ParameterMap&);

}  // namespace gloss
