// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/formats/foreign_arrays.h"
#include "pipeline/foreign/parameter_map.h"

namespace gloss {

/// Adds parameters to a map that are put together from parts of matrices [in, out] and vectors of [1, out] or
/// [out] elements. Throws InputError for arrays that are missing or have another shape.
class GatheredWeights {
 public:
  GatheredWeights(std::shared_ptr<const ForeignArrays> arrays, ParameterMap& map)
      : arrays_(std::move(arrays)), map_(map) {}

  /// An array, or zeros if it has no name.
  struct Part {
    std::string array;
    std::int64_t size;
  };
  /// The transposed matrices [in, size], or vectors of `size` elements if `in` is 1, one after another.
  /// `blocks`: the order of equal blocks of rows of the result; empty: as they are.
  void stack(const std::string& parameter, std::int64_t in, const std::vector<Part>& parts,
             const std::vector<int>& blocks = {});
  /// The transposed matrices [size, out] side by side.
  void join_columns(const std::string& parameter, std::int64_t out, const std::vector<Part>& parts);
  /// The sum of vectors of `size` elements.
  void sum(const std::string& parameter, std::int64_t size, const std::vector<std::string>& arrays);
  bool has(const std::string& array) const { return arrays_->find(array) != nullptr; }

 private:
  /// The numbers of an array.
  static std::vector<float> read(const ForeignArray&);
  /// Throws InputError unless the file has an array of this shape.
  const ForeignArray* expected(const std::string& array, const std::string& parameter, std::int64_t in,
                               std::int64_t out);

  std::shared_ptr<const ForeignArrays> arrays_;
  ParameterMap& map_;
};

}  // namespace gloss
