// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gloss {

/// The letters of a line, and what their script says about the language.
struct LineLetters {
  std::string words;        ///< in lower case, separated by spaces, without all other characters
  std::size_t letters = 0;  ///< number of letters and marks
  bool complete = true;     ///< the line has no more
  /// The language of most letters if their script is that of one language, such as Greek; else empty.
  std::string_view language{};
  double share = 0;  ///< of the letters of this language
};

/// The first `most` letters of a line. Bytes that are not UTF-8 separate words.
LineLetters line_letters(std::string_view line, std::size_t most);

}  // namespace gloss
