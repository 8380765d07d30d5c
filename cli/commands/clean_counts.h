// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/cleaning/cleaner.h"

namespace gloss {

/// Counts what became of the pairs of a run.
class CleanCounts {
 public:
  explicit CleanCounts(const CleaningPlan&);

  void add(const Verdict&);
  /// All counts, for sums over ranks.
  std::vector<std::int64_t*> numbers();
  std::int64_t kept() const { return kept_; }
  std::int64_t rejected() const;
  /// The pairs that some repair changed.
  std::int64_t repaired() const { return repaired_; }
  /// A line for each repair and each rule that had work to do, with counts and shares of all pairs.
  std::vector<std::string> table() const;

 private:
  const CleaningPlan& plan_;
  std::int64_t kept_ = 0, repaired_ = 0, broken_ = 0, cut_ = 0, invalid_ = 0;
  std::vector<std::int64_t> by_check_, by_repair_;
};

}  // namespace gloss
