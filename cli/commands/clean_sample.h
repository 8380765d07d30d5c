// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/cleaning/cleaner.h"
#include "pipeline/pages/sample_page.h"

namespace gloss {

/// Lines that each rule rejected, chosen at random: the same for the same input, whatever the number of
/// threads.
class CleanSample {
 public:
  CleanSample(const Cleaner& cleaner, std::int64_t lines_per_rule)
      : cleaner_(cleaner), most_(lines_per_rule) {}

  void add(const Verdict&, const PairRecord&);
  /// In the order of the rules.
  std::vector<RuleSample> samples() const;

 private:
  struct Rejected {
    std::int64_t count = 0;
    std::map<std::uint64_t, SampledLine> lines{};  // by random numbers, of which the smallest stay
  };

  const Cleaner& cleaner_;
  std::int64_t most_;
  std::map<int, Rejected> by_check_;
};

}  // namespace gloss
