// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/parameter_map.h"

#include "base/error.h"

namespace gloss {

void ParameterMap::take(const std::string& parameter, ParameterParts parts) {
  expects((parts.spare_rows == 0 && parts.unused_rows == 0) || parts.arrays.size() == 1, parameter,
          " has spare rows in several arrays");
  taken_[parameter] = std::move(parts);
}

void ParameterMap::take_linear(const std::string& layer, const std::vector<std::string>& layers,
                               bool transposed) {
  for (const std::string part : {".weight", ".bias"}) {
    std::vector<std::string> names;
    for (const std::string& name : layers) names.push_back(name + part);
    take(layer + part, ParameterParts{std::move(names), transposed && part == ".weight"});
  }
}

const GatheredParts* ParameterMap::gathered(const std::string& parameter) const {
  for (const auto& [name, parts] : gathered_) {
    if (name == parameter) return &parts;
  }
  return nullptr;
}

void ParameterMap::compute(const std::string& parameter, Fill fill) {
  computed_[parameter] = std::move(fill);
}

}  // namespace gloss
