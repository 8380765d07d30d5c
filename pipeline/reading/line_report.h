// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

namespace gloss {

/// Facts about the input of an answer that users should know; the answers of a stream derive from it.
struct LineReport {
  int read_tokens = 0;        ///< tokens of the whole line, or of both sides of a pair
  int left_out = 0;           ///< number of tokens ignored because the line is too long
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences
  bool empty = false;         ///< the line has no text
  int unknown = 0;            ///< unknown pieces of the text that was read
  std::string problem{};      ///< reason for a missing answer; empty: there is an answer

  /// Adds what was found in a part of the same input; `empty` stays.
  void add(const LineReport& part) {
    read_tokens += part.read_tokens;
    left_out += part.left_out;
    replaced += part.replaced;
    unknown += part.unknown;
    if (problem.empty()) problem = part.problem;
  }
};

}  // namespace gloss
