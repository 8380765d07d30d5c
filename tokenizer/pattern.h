// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"

namespace gloss {

/// A regular expression of ICU.
class Pattern {
 public:
  /// Throws UsageError, which gives the expression and the place of the mistake.
  explicit Pattern(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;

  /// The matches in valid UTF-8 that have at least one byte, from left to right. Throws Error if the search
  /// takes too many steps. Safe to call on many threads at once.
  std::vector<ByteRange> matches(std::string_view text) const;

 private:
  struct Compiled;
  std::string expression_;
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace gloss
