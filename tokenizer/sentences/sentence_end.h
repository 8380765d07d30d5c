// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

namespace gloss {

/// A place in a line where a sentence may end, as numbers of characters: MARKS CLOSING SPACE | NEXT, such as
/// `?" `.
struct SentenceEnd {
  std::size_t sentence = 0;  ///< the first character of the sentence that is not white space
  std::size_t marks = 0;     ///< the first full stop, question mark, exclamation mark or ellipsis
  std::size_t closing = 0;   ///< the first closing quotation mark, bracket, reference mark or smiley
  std::size_t space = 0;     ///< the first white space
  std::size_t next = 0;      ///< the first character after it; there is one
  bool unicode = false;      ///< Unicode's rules begin a sentence at `next`
};

}  // namespace gloss
