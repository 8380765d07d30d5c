// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/sentence_end.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {

/// Finds the words near the places in a line where a sentence may end.
class NearWords {
 public:
  /// The words on both sides of a place.
  struct Both {
    std::u32string last;       ///< the word before the marks, without opening marks
    std::string last_marked;   ///< with the first mark
    bool first_in_sentence{};  ///< `last` is its first word
    std::string next;          ///< the next word; empty if there are only marks
    char32_t next_letter = 0;  ///< its first letter or digit
    bool next_lower =
        false;  ///< which is a small letter, but not of a word like "iPhone", "#word" or "- word"
    bool small_letters = false;  ///< the sentence itself begins with a small letter, and `last` is a word
  };

  /// Both must outlive this object.
  NearWords(const SentenceRules& rules, const LineCharacters& line) : rules_(rules), line_(line) {}

  Both around(const SentenceEnd&) const;
  /// The `number` tokens that end before `end`, or begin at `begin`, without the spaces between them.
  std::string before(std::size_t end, int number) const;
  std::string after(std::size_t begin, int number) const;
  /// True if the last words with the mark, joined, are of this kind.
  bool last_are(SentenceWord, const SentenceEnd&) const;
  /// The kind, `title` or `abbreviation`, of the longest abbreviation among the last words with the mark.
  std::optional<SentenceWord> last_abbreviation(const SentenceEnd&) const;
  /// True if the place lies between the parts of an abbreviation, such as "z. | B.".
  bool inside_abbreviation(const SentenceEnd&) const;
  /// True if all of the sentence is a label and a number: "Step 1."
  bool are_label(const SentenceEnd&, const Both&) const;

 private:
  /// The end of the word that begins at `at`.
  std::size_t word_end(std::size_t at) const;
  /// The first character of the first word after `at`, without opening marks, and without a dash of a
  /// dialogue.
  std::size_t word_after(std::size_t at) const;
  /// True if "- " begins an item of a list at `at`.
  bool is_hyphen_item(std::size_t at) const;
  /// True if a word begins with a small letter, but is not like "iPhone".
  bool is_small(std::size_t word) const;

  const SentenceRules& rules_;
  const LineCharacters& line_;
};

}  // namespace gloss
