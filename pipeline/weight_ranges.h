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

// Parts of a network are meant by names of parameters or the first parts of these: "encoder.1" means
// "encoder.1.norm.weight", but not "encoder.10.norm.weight".

/// True if one of `prefixes` means the parameter.
bool is_frozen(const std::string& parameter, const std::vector<std::string>& prefixes);

/// The parameters that are not frozen. Throws UsageError, which lists what there is, if a prefix names none
/// or together they name all.
std::vector<WeightRange> without_frozen(const std::vector<WeightRange>&,
                                        const std::vector<std::string>& prefixes);

/// How much faster or slower than the others each of these parameters learns: `factors` has texts such as
/// "encoder.0=0.5", of which the longest that means a parameter counts; 1 without any. Throws UsageError for
/// texts of another kind, factors that are not positive, and parts that are unknown or given twice.
std::vector<double> learning_rate_factors(const std::vector<WeightRange>&,
                                          const std::vector<std::string>& factors);

}  // namespace gloss
