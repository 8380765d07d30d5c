// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/layers/parameters.h"

namespace gloss {

/// Location of a parameter in the flat array of all weights.
struct WeightRange {
  std::string name;
  Shape shape;
  std::size_t begin = 0;  ///< index of its first element
  std::size_t end = 0;    ///< start of the next parameter: includes the gap of zeros
};

/// All parameters, in the order of their declaration.
std::vector<WeightRange> weight_ranges(const Parameters&);

// Prefixes select parts of a network: names of parameters or their first components. "encoder.1" selects
// "encoder.1.norm.weight", but not "encoder.10.norm.weight".

/// True if one of `prefixes` selects the parameter.
bool is_frozen(const std::string& parameter, const std::vector<std::string>& prefixes);

/// The parameters that are not frozen. Throws UsageError, which lists the known names, if a prefix selects no
/// parameter or all parameters are frozen.
std::vector<WeightRange> without_frozen(const std::vector<WeightRange>&,
                                        const std::vector<std::string>& prefixes);

/// The factors in texts NAME=FACTOR by name. Throws UsageError for other texts and repeated names.
std::map<std::string, double> read_learning_rate_factors(const std::vector<std::string>& factors);

/// Learning-rate factor of each of these parameters. `factors` has entries such as "encoder.0=0.5"; the
/// longest match applies; 1 if none matches. Throws UsageError for malformed entries, factors that are not
/// positive, and parts that are unknown or given twice.
std::vector<double> learning_rate_factors(const std::vector<WeightRange>&,
                                          const std::vector<std::string>& factors);

}  // namespace gloss
