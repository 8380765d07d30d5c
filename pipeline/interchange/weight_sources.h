// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/formats/foreign_arrays.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// Where the weights of a network come from, by the names of its parameters: arrays of another program's
/// files, or a computation. Nothing is read before `read`.
class WeightSources {
 public:
  using Fill = std::function<void(std::span<float>)>;

  /// `prefixes` may precede the names of arrays, such as "model."; the first with which there is an array is
  /// used.
  explicit WeightSources(std::shared_ptr<const ForeignArrays> arrays,
                         std::vector<std::string> prefixes = {""});

  /// The rows of the parameter are those of these arrays, one array after another. Throws InputError if an
  /// array is missing.
  void take(const std::string& parameter, const std::vector<std::string>& arrays);
  /// `take` for NAME.weight and NAME.bias.
  void take_linear(const std::string& layer, const std::vector<std::string>& layers);
  /// The numbers are computed.
  void compute(const std::string& parameter, Fill fill);
  /// Marks an array that is not needed, if it is there.
  void ignore(const std::string& array);
  bool has(const std::string& array) const { return find(array) != nullptr; }

  /// The numbers of a parameter of this shape. Throws InputError, naming the array, if it has another number
  /// of elements or rows, or numbers that are not finite.
  void read(const std::string& parameter, const Shape& shape, std::span<float> values) const;
  /// The names of arrays that are neither taken nor ignored.
  std::vector<std::string> unused() const;

 private:
  const std::pair<const std::string, ForeignArray>* find(const std::string& array) const;

  std::shared_ptr<const ForeignArrays> arrays_;
  std::vector<std::string> prefixes_;
  std::map<std::string, std::vector<const ForeignArray*>> taken_;
  std::map<std::string, Fill> computed_;
  std::set<std::string> used_;
};

}  // namespace gloss
