// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {

/// A place in a line where a sentence may end, as numbers of characters: MARKS CLOSING SPACE | NEXT, such as
/// `?" `.
struct SentenceEnd {
  std::size_t sentence = 0;  ///< the first character of the sentence that is not white space
  std::size_t marks = 0;     ///< the first full stop, question mark, exclamation mark or ellipsis
  std::size_t closing = 0;   ///< the first closing quotation mark, bracket or reference mark
  std::size_t space = 0;     ///< the first white space
  std::size_t next = 0;      ///< the first character after it; there is one
  bool unicode = false;      ///< Unicode's rules begin a sentence at `next`
};

/// Decides which places in a line end a sentence.
class SentenceEnds {
 public:
  /// Both must outlive this object.
  SentenceEnds(const SentenceRules& rules, const LineCharacters& line) : rules_(rules), line_(line) {}

  /// True if a sentence ends here.
  bool ends(const SentenceEnd&) const;
  /// True if a sentence ends without a mark before white space that ends at `next`, as headings and captions do.
  bool ends_unmarked(std::size_t sentence, std::size_t next) const;

 private:
  /// The words around a place.
  struct Words;

  Words words_around(const SentenceEnd&) const;
  bool ends_without_space(const SentenceEnd&) const;
  bool after_full_stop(const SentenceEnd&, const Words&) const;
  bool after_ellipsis(const SentenceEnd&, const Words&) const;
  bool after_question(const SentenceEnd&, const Words&) const;
  bool after_number(const SentenceEnd&, const Words&) const;
  /// True if the sentence and what follows begin as items of a list do: "a. Open it. | b. Close it."
  bool between_items(const SentenceEnd&) const;
  /// True if the number before the place and what follows are parts of a date: "3. | 5. 2001".
  bool in_date(const SentenceEnd&) const;
  /// True if the place lies between the parts of an abbreviation, such as "z. | B.".
  bool inside_abbreviation(const SentenceEnd&) const;
  /// True if the last words, joined, are of this kind.
  bool last_words_are(SentenceWord, const SentenceEnd&) const;
  /// The number of words of a range, counted up to an end mark and to a small number.
  int words_from(std::size_t first, std::size_t last) const;
  bool in_brackets(const SentenceEnd&) const;
  /// True if words such as "Tom said" follow.
  bool speech_follows(const SentenceEnd&) const;
  /// The `number` tokens that end before `end`, or begin at `begin`, without the spaces between them.
  std::string tokens_before(std::size_t end, int number) const;
  std::string tokens_after(std::size_t begin, int number) const;

  const SentenceRules& rules_;
  const LineCharacters& line_;
};

}  // namespace gloss
