// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cleaning/cleaning_plan.h"
#include "pipeline/records/pair_record.h"

namespace gloss {

/// What became of a pair.
struct Verdict {
  static constexpr int kKept = -1, kBroken = -2, kCut = -3;

  int check = kKept;  ///< the number of the check that rejects it
  int side = -1;      ///< of which the value is: 0 source, 1 target, -1 the pair
  double value = 0;
  std::uint64_t repairs = 0;     ///< bits: the number of each repair that changed it
  std::int64_t replaced = 0;     ///< invalid UTF-8 sequences, which became U+FFFD
  std::vector<double> values{};  ///< of all checks, those of a side as two; only on request
};

/// Cleans pairs as a plan says. All methods may be called on many threads at once.
class Cleaner {
 public:
  /// What needs languages is left out of the plan if `languages` are not given or not known to the
  /// identifier. Throws UsageError for a regular expression that is none.
  Cleaner(CleaningPlan, const std::vector<std::string>& languages);

  const CleaningPlan& plan() const { return plan_; }
  /// The names of what was left out since languages are missing.
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// Repairs a pair and checks it; with `all_values`, also computes the values after the check that failed.
  Verdict clean(PairRecord&, bool one_language, bool all_values = false) const;
  /// The names of the values that `clean` returns, such as "words (source)".
  std::vector<std::string> value_names(bool one_language) const;
  /// The name of the reason of a verdict: that of a rule, "broken" or "too_long".
  std::string_view reason(const Verdict&) const;

 private:
  CleaningPlan plan_;
  std::vector<RuleSetup> setups_;  // of the checks
  RuleSetup setup_;                // of the repairs
  std::vector<std::string> left_out_;
};

}  // namespace gloss
