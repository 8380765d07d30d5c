// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// A parameter that is put together from matrices [in, out] of another program, or from vectors of [1, out]
/// or [out] elements, in other ways than rows after rows.
struct GatheredParts {
  /// An array, or zeros if it has no name: numbers that the other program does not have.
  struct Part {
    std::string array;
    std::int64_t size;  ///< its part of the dimension that is joined
  };
  /// The transposed arrays lie one below another, or side by side, or are vectors to be added.
  enum class Join { rows, columns, sum };
  Join join = Join::rows;
  std::int64_t other = 1;  ///< size of the dimension that all parts have
  std::vector<Part> parts{};
  /// With Join::rows, the order of equal blocks of rows in the parameter; empty: as they are.
  std::vector<int> blocks{};
};

/// The arrays of all parts, in order; null for zeros. Throws InputError, naming the parameter, for arrays
/// that are missing or have another shape.
std::vector<const StoredArray*> arrays_of(const GatheredParts&, const StoredArrays&,
                                          const std::string& parameter);
/// Reads a parameter from them. Throws InputError for numbers that are not finite.
void gather(const GatheredParts&, const std::vector<const StoredArray*>&, std::span<float> parameter);

/// An array of another program that is a part of a parameter.
struct ScatteredArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::size_t part = 0;  ///< its number
};
/// The inverse: the arrays of a parameter, each once. Calls `refuse`, which throws, if such arrays cannot
/// give its numbers.
std::vector<ScatteredArray> scattered_arrays(const GatheredParts&, std::span<const float> parameter,
                                             const std::function<void(const std::string& why)>& refuse);
/// The numbers of an array of the parameter.
std::vector<float> scatter(const GatheredParts&, const ScatteredArray&, std::span<const float> parameter);

}  // namespace gloss
