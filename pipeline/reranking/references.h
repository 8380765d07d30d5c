// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// Reference translations of the source lines of an n-best list, as valid UTF-8.
class ReferenceLines {
 public:
  /// Files with a line for each source line; several are several references. Throws InputError if one cannot
  /// be read or if they have different numbers of lines.
  explicit ReferenceLines(const std::vector<std::string>& files);

  /// The references of a source line, counted from 0. Throws InputError if there are none.
  std::span<const std::string> of(std::int64_t source_line) const;
  /// Throws InputError unless there are references for exactly so many source lines.
  void expect_lines(std::int64_t source_lines) const;

 private:
  std::string name_;  // of the first file
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace gloss
