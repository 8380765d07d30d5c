// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/foreign/shared/gathered_weights.h"

namespace gloss {

/// How the arrays of another program make a parameter of gloss.
struct ParameterParts {
  std::vector<std::string> arrays;  ///< the rows of one follow those of another
  bool transposed = false;          ///< the arrays are [in, out]
  int spare_rows = 0;               ///< at the start of a single array, not part of the parameter
  float factor = 1;                 ///< the parameter is the arrays times this
  int unused_rows = 0;              ///< at the end of a single array, not part of the parameter
};

/// The parameters of a network in the names and forms of another program. It depends on the settings of the
/// network only, so that it describes the import as well as the export.
class ParameterMap {
 public:
  using Fill = std::function<void(std::span<float>)>;

  /// The rows of the parameter are those of these arrays.
  void take(const std::string& parameter, ParameterParts parts);
  void take(const std::string& parameter, std::vector<std::string> arrays) {
    take(parameter, ParameterParts{std::move(arrays)});
  }
  /// `take` for NAME.weight and NAME.bias; only weights are transposed.
  void take_linear(const std::string& layer, const std::vector<std::string>& layers, bool transposed = false);
  /// The parameter is put together from these parts.
  void gather(const std::string& parameter, GatheredParts parts) {
    gathered_.emplace_back(parameter, std::move(parts));
  }
  /// The numbers are computed; the other program does not store them.
  void compute(const std::string& parameter, Fill fill);
  /// Other names under which files may have the same array, beside the name or instead of it.
  void copies(const std::string& array, std::vector<std::string> others) {
    copies_[array] = std::move(others);
  }
  /// An array that the other program may store, but that is not needed.
  void ignore(const std::string& array) { ignored_.insert(array); }

  const std::map<std::string, ParameterParts>& taken() const { return taken_; }
  /// In the order in which they were added.
  const std::vector<std::pair<std::string, GatheredParts>>& gathered() const { return gathered_; }
  /// The parts of a gathered parameter; null for others.
  const GatheredParts* gathered(const std::string& parameter) const;
  const std::map<std::string, Fill>& computed() const { return computed_; }
  const std::map<std::string, std::vector<std::string>>& all_copies() const { return copies_; }
  const std::set<std::string>& ignored() const { return ignored_; }

 private:
  std::map<std::string, ParameterParts> taken_;
  std::vector<std::pair<std::string, GatheredParts>> gathered_;
  std::map<std::string, Fill> computed_;
  std::map<std::string, std::vector<std::string>> copies_;
  std::set<std::string> ignored_;
};

}  // namespace gloss
