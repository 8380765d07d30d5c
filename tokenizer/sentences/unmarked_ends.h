// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {

/// Decides where sentences end without a mark, as headings, captions and messages do.
class UnmarkedEnds {
 public:
  /// Both must outlive this object.
  UnmarkedEnds(const SentenceRules& rules, const LineCharacters& line) : rules_(rules), line_(line) {}

  /// True if a sentence that begins at `sentence` ends before the white space from `space` to before `next`.
  bool ends(std::size_t sentence, std::size_t space, std::size_t next) const;

 private:
  bool after_word(std::size_t sentence, std::size_t next) const;
  bool after_smiley(std::size_t sentence, std::size_t space, std::size_t next) const;
  /// The number of words of a range, counted up to an end mark and to a small number.
  int words_from(std::size_t first, std::size_t last) const;

  const SentenceRules& rules_;
  const LineCharacters& line_;
};

}  // namespace gloss
