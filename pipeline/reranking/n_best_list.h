// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// A line of an n-best list: `LINE ||| TEXT ||| FEATURES ||| SCORE`, optionally with ` ||| ALIGNMENT`.
struct NBestEntry {
  std::int64_t line = 0;  ///< number of the source line, counted from 0
  std::string text, features;
  std::string rest;  ///< the score and the rest of the line, verbatim
};

/// Parses a line. Throws InputError, whose message does not include the file and line. The text may contain
/// the separator.
NBestEntry parse_n_best(std::string_view line);
std::string n_best_text(const NBestEntry&);

}  // namespace gloss
