#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/layers/parameters.h"

namespace gloss {

/// Where a parameter lies in the flat array of all weights.
struct WeightRange {
  std::string name;
  Shape shape;
  std::size_t begin = 0;  ///< its first number
  std::size_t end = 0;    ///< where the next one begins: its last number and the gap of zeros behind it
};

/// All parameters, in the order of their declaration.
std::vector<WeightRange> weight_ranges(const Parameters&);

/// True if one of `prefixes` is the parameter's name or its first parts: "encoder.1" is one of
/// "encoder.1.norm.weight", but not of "encoder.10.norm.weight".
bool is_frozen(const std::string& parameter, const std::vector<std::string>& prefixes);

/// The parameters that are not frozen. Throws UsageError, which lists what there is, if a prefix names none
/// or together they name all.
std::vector<WeightRange> without_frozen(const std::vector<WeightRange>&,
                                        const std::vector<std::string>& prefixes);

}  // namespace gloss
