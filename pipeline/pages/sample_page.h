// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// A line that a rule rejected.
struct SampledLine {
  std::int64_t line = 0;
  std::string side, value, source, target;
};

/// What a rule rejected: all of it counted, some of it shown.
struct RuleSample {
  std::string name, meaning, bounds;
  std::int64_t count = 0;
  std::vector<SampledLine> lines{};
};

/// A self-contained HTML page that shows what each rule rejected, so that people can judge its threshold.
/// `summary` is plain text.
std::string sample_page(std::span<const RuleSample>, const std::string& title, const std::string& summary);

}  // namespace gloss
