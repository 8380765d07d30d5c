// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The language that CLD2 finds in most of a line.
struct Cld2Answer {
  std::string_view language;  ///< its code, as of `plain_language`; empty: unknown
  bool reliable = false;
  int letters = 0;  ///< number of bytes of letters in the line
};

/// The sorted codes of the languages that CLD2 knows.
std::vector<std::string> cld2_languages();
/// The language of a line of valid UTF-8 of less than 2 GiB.
Cld2Answer cld2_answer(std::string_view line);
/// The version of CLD2 and of its tables.
std::string cld2_version();

}  // namespace gloss
