#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// A line of an n-best list: `LINE ||| TEXT ||| FEATURES ||| SCORE`, and perhaps ` ||| ALIGNMENT`.
struct NBestEntry {
  std::int64_t line = 0;  ///< of the source, counted from 0
  std::string text, features;
  std::string rest;  ///< the score and what follows, as it stands
};

/// Throws InputError that says what is wrong, without file and line. The text may hold the separator.
NBestEntry parse_n_best(std::string_view line);
std::string n_best_text(const NBestEntry&);

}  // namespace gloss
