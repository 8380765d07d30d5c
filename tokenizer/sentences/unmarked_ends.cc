// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/unmarked_ends.h"

#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"
#include "tokenizer/sentences/near_words.h"
#include "tokenizer/sentences/sentence_tail.h"

namespace gloss {

bool UnmarkedEnds::ends(std::size_t sentence, std::size_t space, std::size_t next) const {
  if (!is_upper_case(line_[next]) || space <= sentence) return false;
  if (is_letter(line_[space - 1])) return after_word(sentence, next);
  return after_smiley(sentence, space, next);
}

bool UnmarkedEnds::after_word(std::size_t sentence, std::size_t next) const {
  std::size_t after = next;
  while (after < line_.size() && is_letter(line_[after])) ++after;
  const std::string_view word = line_.text(next, after);
  if (after + 1 >= line_.size() || line_[after] != ' ' || !is_letter(line_[after + 1])) return false;
  if (!rules_.has(SentenceWord::unmarked_always, word) &&
      !(rules_.has(SentenceWord::unmarked, word) && is_lower_case(line_[after + 1]))) {
    return false;
  }
  const std::string before = NearWords(rules_, line_).before(next, 1);
  if (rules_.has(SentenceWord::before_ordinal, before)) return false;  // a noun or name follows
  // Names have such words too ("at The old inn"): short parts stay together.
  constexpr int kLeastWords = 4;
  return words_from(sentence, next) >= kLeastWords && words_from(next, line_.size()) >= kLeastWords;
}

bool UnmarkedEnds::after_smiley(std::size_t sentence, std::size_t space, std::size_t next) const {
  constexpr int kLeastWords = 2;
  if (words_from(sentence, space) < kLeastWords) return false;
  if (is_face(line_[space - 1])) return true;
  if (!is_emoji(line_[space - 1])) return is_smiley(rules_, line_, space);
  // Other pictures may be words: "I ❤ Rome".
  std::size_t after = next;
  while (after < line_.size() && is_letter(line_[after])) ++after;
  return rules_.has(SentenceWord::first, line_.text(next, after));
}

int UnmarkedEnds::words_from(std::size_t first, std::size_t last) const {
  constexpr int kEnough = 8;
  int words = 0;
  for (std::size_t at = first; at < last && words < kEnough; ++at) {
    if (is_end_mark(line_[at])) break;
    words += is_letter(line_[at]) && (at == first || is_space(line_[at - 1]));
  }
  return words;
}

}  // namespace gloss
