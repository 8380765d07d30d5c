// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// A number with its noun: "1 line", "2 lines". For nouns with a regular plural.
inline std::string counted(std::int64_t number, std::string_view noun) {
  std::string text = std::to_string(number);
  text.append(" ").append(noun);
  if (number != 1) text += 's';
  return text;
}

/// The singular of a plural noun, such as "lines" or "matrices".
inline std::string singular(std::string_view nouns) {
  if (nouns.ends_with("matrices")) return std::string(nouns.substr(0, nouns.size() - 4)) + "ix";
  return std::string(nouns.substr(0, nouns.size() - 1));
}

}  // namespace gloss
