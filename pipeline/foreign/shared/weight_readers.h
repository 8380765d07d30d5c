// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/formats/stored_arrays.h"
#include "model/tensor/tensor.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// How the names of arrays may differ between files.
struct ArrayNames {
  std::string optional_prefix{};  ///< the first part of names that some files leave out, such as "model."
  /// Ends of names and what they are in older files, such as ".LayerNorm.weight" and ".LayerNorm.gamma".
  std::vector<std::pair<std::string, std::string>> older_ends{};
  /// Ends of names of arrays that are not needed, such as ".attn.masked_bias".
  std::vector<std::string> ignored_ends{};
};

/// Where the weights of a network come from: arrays of another program's files, or a computation. Nothing is
/// read before `read`.
class WeightReaders {
 public:
  /// Throws InputError if an array is missing.
  WeightReaders(std::shared_ptr<const StoredArrays> arrays, ParameterMap map, ArrayNames names = {});

  /// Throws InputError, naming the array, unless there are the numbers of a parameter of this shape.
  void expect_fits(const std::string& parameter, const Shape& shape) const;
  /// The numbers of a parameter of this shape. Throws InputError, naming the array, unless they fit and are
  /// finite.
  void read(const std::string& parameter, const Shape& shape, std::span<float> values) const;
  /// The names of arrays that are neither taken nor ignored.
  std::vector<std::string> unused() const;

 private:
  struct Taken {
    std::vector<const StoredArray*> arrays;
    bool transposed = false;
    int spare_rows = 0;
    float factor = 1;
    int unused_rows = 0;
    /// The number of rows that are not part of the parameter.
    int other_rows() const { return spare_rows + unused_rows; }
  };
  /// Throws InputError unless the arrays fit the parameter.
  static void expect_shape(const Taken&, const std::string& parameter, const Shape&);
  const std::pair<const std::string, StoredArray>* find(const std::string& array) const;

  std::shared_ptr<const StoredArrays> arrays_;
  ArrayNames names_;
  std::map<std::string, Taken> taken_;
  struct Gathered {
    GatheredParts parts;
    std::vector<const StoredArray*> arrays;
  };
  std::map<std::string, Gathered> gathered_;
  std::map<std::string, ParameterMap::Fill> computed_;
  std::set<std::string> used_;
};

}  // namespace gloss
